"""Messages to the prompt text a model was trained on: its own chat template, tried out first, else a plain one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.ports import Message

Render = Callable[[list[dict[str, str]]], str]
Format = Callable[[Sequence[Message]], str]

_TRIAL = (Message("system", "s"), Message("user", "u"))
_LONGER = (*_TRIAL, Message("assistant", "a"), Message("user", "v"))


def choose_format(render: Render | None) -> tuple[Format, str]:
    """The first way of writing a prompt that works with this template: as it is, without a system role, ChatML.

    A template is judged by a dry run: it must not raise and must keep the text of every message. Returns the format
    and a warning ("" if the template was used as it is).
    """
    if render is None:
        return chatml, "The model has no chat template; ChatML is used."
    plain = _with(render)
    if _works(plain):
        return plain, ""
    merged = _merging(render)
    if _works(merged):
        return merged, "The model's chat template takes no system message; it is put before the question."
    return chatml, "The model's chat template does not work; ChatML is used."


def chatml(messages: Sequence[Message]) -> str:
    """The ChatML form most instruction models understand."""
    turns = "".join(f"<|im_start|>{m.role}\n{m.content}<|im_end|>\n" for m in messages)
    return f"{turns}<|im_start|>assistant\n"


def _works(form: Format) -> bool:
    try:
        texts = [(form(messages), messages) for messages in (_TRIAL, _LONGER)]
    except (ValueError, TypeError, KeyError, AttributeError, LookupError, ArithmeticError, RuntimeError):
        return False  # templates are programs of strangers: whatever they raise means "not this way"
    return all(m.content in text for text, messages in texts for m in messages)


def _with(render: Render) -> Format:
    return lambda messages: render([{"role": m.role, "content": m.content} for m in messages])


def _merging(render: Render) -> Format:
    def form(messages: Sequence[Message]) -> str:
        system = "\n".join(m.content for m in messages if m.role == "system")
        rest = [{"role": m.role, "content": m.content} for m in messages if m.role != "system"]
        if system and rest:
            rest[0] = {"role": rest[0]["role"], "content": f"{system}\n\n{rest[0]['content']}"}
        return render(rest)

    return form
