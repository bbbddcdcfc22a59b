"""Machines of AWS by its command line."""

from __future__ import annotations

from core.handoff.order import Order
from core.handoff.text import Fill, Word, script

SELLER = "aws"
_REGION = Fill("region in which you have quota for these machines", "REGION")
_IMAGE = Fill("id of the machine image", "IMAGE_ID")
_KEY = Fill("name of your key pair", "KEY_NAME")
_SUBNET = Fill("id of the subnet", "SUBNET_ID")
_NETWORK = "a placement group, and network interfaces of the type efa where this machine type has them"
_BLOCK = Fill("id of the capacity block that you bought", "CAPACITY_BLOCK_ID")

_TARGET: Word = (
    "--capacity-reservation-specification=CapacityReservationTarget={CapacityReservationId=", _BLOCK, "}",
)  # fmt: skip


def aws(order: Order) -> str | None:
    """The script; None for other sellers and machines that the catalogue does not know."""
    if order.provider != SELLER or not order.machine:
        return None
    is_block = order.result.candidate.offer.purchase_model == "capacity_block"
    words: list[Word] = ["aws", "ec2", "run-instances"]
    words += [f"--region={order.region}" if order.region else ("--region=", _REGION)]
    words += [f"--instance-type={order.machine}", f"--count={order.n_hosts}", ("--image-id=", _IMAGE)]
    words += [("--key-name=", _KEY), ("--subnet-id=", _SUBNET)]
    words += ["--instance-market-options=MarketType=spot"] if order.is_spot else []
    words += ["--instance-market-options=MarketType=capacity-block", _TARGET] if is_block else []
    fills = [*([] if order.region else [_REGION]), _IMAGE, _KEY, _SUBNET, *([_BLOCK] if is_block else [])]
    return script([*order.head, *order.together(_NETWORK)], fills, words)
