# ruff: noqa
"""TensorFlow as it was. Read by tests, never run."""

import tensorflow as tf

ops = tf.load_op_library("./zero_out.so")  # PLANTED: loaded-library
with tf.compat.v1.Session() as session:  # PLANTED: legacy-tensorflow
    ragged = tf.ragged.constant([[1], [2, 3]])  # PLANTED: ragged
    drawn = tf.py_function(print, [ragged], tf.float32)  # PLANTED: host-callback
