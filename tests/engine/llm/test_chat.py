"""Chat templates are programs of strangers: tried out first, replaced where they do not work."""

from __future__ import annotations

from engine.core.ports import Message
from engine.llm.chat import chatml, choose_format

TALK = (Message("system", "Be brief."), Message("user", "Hello?"))


def good(messages: list[dict[str, str]]) -> str:
    return "".join(f"<{m['role']}>{m['content']}" for m in messages) + "<assistant>"


def no_system(messages: list[dict[str, str]]) -> str:
    if messages[0]["role"] == "system":
        raise ValueError("System role not supported")
    return good(messages)


def forgetful(messages: list[dict[str, str]]) -> str:
    return messages[-1]["content"]


def broken(messages: list[dict[str, str]]) -> str:
    raise KeyError("tools")


def test_a_working_template_is_used_as_it_is() -> None:
    form, warning = choose_format(good)
    assert form(TALK) == "<system>Be brief.<user>Hello?<assistant>"
    assert warning == ""


def test_without_a_system_role_its_text_goes_before_the_question() -> None:
    form, warning = choose_format(no_system)
    assert form(TALK) == "<user>Be brief.\n\nHello?<assistant>"
    assert "system" in warning


def test_a_template_that_drops_messages_or_raises_is_not_trusted() -> None:
    for render in (forgetful, broken, None):
        form, warning = choose_format(render)
        assert form is chatml
        assert "ChatML" in warning
