"""Prints the seconds that Python takes for conditions, scripts and templates, as JSON; what to do comes on stdin."""

import json
import sys
import time
from types import SimpleNamespace

import jinja2
import lupa.luajit21 as lupa
from simpleeval import SimpleEval

MANY, FEW = 2000, 20

asked = json.load(sys.stdin)
facts, filled, walked = asked["facts"], asked["filled"], asked["walked"]


def least(count, work):
    def each():
        start = time.perf_counter()
        for _ in range(count):
            work()
        return (time.perf_counter() - start) / count

    return min(each() for _ in range(asked["rounds"]))


# Conditions: parsed once; `turn.token_usage` reads an attribute.
names = {"context": SimpleNamespace(turn=SimpleNamespace(**facts["turn"]))}
judge = SimpleEval(names=names)


def condition(text):
    parsed = judge.parse(text)
    return lambda: judge.eval(text, previously_parsed=parsed)


one = condition(asked["condition"])
assert one() is True

# Scripts: a function loaded once; the facts become tables once an event.
lua = lupa.LuaRuntime(unpack_returned_tuples=True)
said = []
trivial = lua.eval("function(context) return true end")
walk = lua.eval(
    """function(context, notify)
    local failed = {}
    for _, call in ipairs(context.history.tools) do
        if call.success == false then failed[call.name] = (failed[call.name] or 0) + 1 end
    end
    for name, count in pairs(failed) do
        if count >= 3 then notify(name .. " failed " .. count .. " times") end
    end
end"""
)
table = lua.table_from(facts, recursive=True)
walk(table, said.append)
assert said == [walked], said
assert trivial(table) is True


def walk_new():
    said.clear()
    walk(lua.table_from(facts, recursive=True), said.append)


def walk_again():
    said.clear()
    walk(table, said.append)


# Templates: compiled once.
shelf = jinja2.Environment()
template = shelf.from_string(asked["template"])
assert template.render(facts) == filled

# A hook of 100 rules, 10 of which notify.
rules = [
    (condition("context.turn.token_usage > " + ("0.8" if at < 10 else "0.9")), shelf.from_string(asked["template"]))
    for at in range(100)
]


def hook():
    return [template.render(facts) for holds, template in rules if holds()]


assert hook() == [filled] * 10

print(
    json.dumps(
        {
            "condition": least(MANY, one),
            "trivial": least(MANY, lambda: trivial(table)),
            "walk_again": least(MANY, walk_again),
            "walk_new": least(MANY, walk_new),
            "template": least(MANY, lambda: template.render(facts)),
            "hook": least(FEW, hook),
        }
    )
)
