"""Players by name, options in one string: the same everywhere (commands, library, files).

    from advisor import agents

    spec = agents.parse("ismcts:iterations=2000,c=0.5")
    print(spec.label, spec.options)

`spec` reads names and options, `options` checks them, `playing` plays a game step by step; the
compiled modules hold the agents of the kernel and the loop that plays whole games.
"""

from advisor.agents.playing import Step, play
from advisor.agents.spec import AgentSpec, names, parse

__all__ = ["AgentSpec", "Step", "names", "parse", "play"]
