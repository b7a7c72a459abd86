"""The built-in certificate provider, without a cluster: what a revision needs, what is due when, what is filled in.

Values in, values out: `operator_controller.rollout` makes keys and writes Secrets by these rules, and nothing here sees
a private key but to hand it on. Rule: bundle-rendering.md 11 and 15 row 17; docs/decisions/006.
"""

from operator_controller.certificates.due import Facts, ServingFacts, SignerStep, Steps, due, is_usable, next_look
from operator_controller.certificates.issued import Issued, ServingPair
from operator_controller.certificates.keeper import Keeper, keeper_of
from operator_controller.certificates.lifetimes import Lifetimes
from operator_controller.certificates.needs import Need, is_certified, needs_of
from operator_controller.certificates.provider import choose_provider
from operator_controller.certificates.spread import is_spread

__all__ = [
    "Facts",
    "Issued",
    "Keeper",
    "Lifetimes",
    "Need",
    "ServingFacts",
    "ServingPair",
    "SignerStep",
    "Steps",
    "choose_provider",
    "due",
    "is_certified",
    "is_spread",
    "is_usable",
    "keeper_of",
    "needs_of",
    "next_look",
]
