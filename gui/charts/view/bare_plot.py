"""A plot of pyqtgraph's without menus."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.charts.view.graphs import pg


def bare_plot(owner: QWidget) -> pg.PlotItem:
    """A plot whose context menu, which pyqtgraph makes whether it is wanted or not, goes with its owner.

    Without one it is a hidden window of its own until the collector comes, and each change of a style or palette
    visits it.
    """
    plot = pg.PlotItem(enableMenu=False)
    plot.ctrlMenu.setParent(owner, Qt.WindowType.Popup)
    plot.hideButtons()
    return plot
