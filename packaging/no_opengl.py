"""Stands in for PySide6.QtOpenGL and PySide6.QtOpenGLWidgets in a packaged app: nothing here is drawn by OpenGL.

pyqtgraph imports both and builds one class on ``QOpenGLWidget`` that is made only when OpenGL is asked for.
"""

from PySide6.QtWidgets import QWidget


class QOpenGLWidget(QWidget):
    pass
