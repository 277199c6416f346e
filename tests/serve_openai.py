"""The official Python client against a running `whorl serve`: `serve_openai.py ADDRESS`. Prints nothing when all is well, else why not."""
import json
import sys

import openai

GOLDEN = json.load(open("models/tiny/golden.json"))[0]
PROMPT, ANSWER = GOLDEN["prompt"], GOLDEN["greedy_text"][len(GOLDEN["prompt"]):]
client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0, timeout=120)


def want(what, got, wanted):
    if got != wanted:
        print(f"{what}: {got!r} instead of {wanted!r}")


want("models", [m.id for m in client.models.list()], ["talks"])
done = client.completions.create(model="talks", prompt=PROMPT, max_tokens=5, temperature=0, logprobs=0)
text = done.choices[0].text
want("completion", (ANSWER.startswith(text), done.choices[0].finish_reason, done.usage.total_tokens), (True, "length", 9))
want("logprobs", ("".join(done.choices[0].logprobs.tokens), len(done.choices[0].logprobs.token_logprobs)), (text, 5))
tops = client.completions.create(model="talks", prompt=PROMPT, max_tokens=2, temperature=0, logprobs=3).choices[0].logprobs
want("top logprobs", [(len(t), max(t, key=t.get)) for t in tops.top_logprobs], [(3, token) for token in tops.tokens])
parts = client.completions.create(model="talks", prompt=PROMPT, max_tokens=5, temperature=0, stream=True)
want("streamed completion", "".join(part.choices[0].text for part in parts), text)

messages = [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Who was Moses?"}]
chat = client.chat.completions.create(model="talks", messages=messages, max_completion_tokens=4, temperature=0, logprobs=True)
said = chat.choices[0].message
want("chat", (said.role, chat.choices[0].finish_reason, chat.usage.completion_tokens), ("assistant", "length", 4))
tops = client.chat.completions.create(model="talks", messages=messages, max_completion_tokens=2, temperature=0, logprobs=True, top_logprobs=2)
want("chat's top logprobs", [(len(t.top_logprobs), t.top_logprobs[0].token) for t in tops.choices[0].logprobs.content],
     [(2, t.token) for t in tops.choices[0].logprobs.content])
want("chat's logprobs", "".join(t.token for t in chat.choices[0].logprobs.content), said.content)
parts = list(client.chat.completions.create(model="talks", messages=messages, max_completion_tokens=4, temperature=0, stream=True,
                                            stream_options={"include_usage": True}))
want("streamed chat", "".join(part.choices[0].delta.content or "" for part in parts if part.choices), said.content)
want("usage", parts[-1].usage.completion_tokens, 4)
stopped = client.completions.create(model="talks", prompt=PROMPT, max_tokens=9, temperature=0, stop=[text[-3:]])
want("stop", (stopped.choices[0].text, stopped.choices[0].finish_reason), (text[:text.index(text[-3:])], "stop"))
try:
    client.chat.completions.create(model="talks", messages=[])
    print("an empty list of messages is taken")
except openai.BadRequestError as why:
    want("error", why.param, "messages")
