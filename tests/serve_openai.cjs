// The official JavaScript client against a running `whorl serve`: node serve_openai.cjs FOLDER_OF_THE_PACKAGE ADDRESS. Prints nothing when
// all is well, else why not.
'use strict';
const OpenAI = require(process.argv[2]);
const golden = require('../models/tiny/golden.json')[0];
const answer = golden.greedy_text.slice(golden.prompt.length);
const client = new OpenAI({baseURL: process.argv[3] + '/v1', apiKey: 'none', maxRetries: 0});
const want = (what, got, wanted) => {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) console.log(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
};

(async () => {
  want('models', (await client.models.list()).data.map(m => m.id), ['talks']);
  const done = await client.completions.create({model: 'talks', prompt: golden.prompt, max_tokens: 5, temperature: 0});
  const text = done.choices[0].text;
  want('completion', [answer.startsWith(text), done.choices[0].finish_reason], [true, 'length']);
  const fields = {model: 'talks', messages: [{role: 'user', content: 'Who was Moses?'}], max_tokens: 4, temperature: 0};
  const whole = (await client.chat.completions.create(fields)).choices[0].message.content;
  let parts = '';
  for await (const part of await client.chat.completions.create({...fields, stream: true})) parts += part.choices[0].delta.content || '';
  want('streamed chat', parts, whole);
  // a client that has heard enough
  const cut = await client.chat.completions.create({...fields, max_tokens: 500, stream: true});
  for await (const part of cut) if (part.choices[0].delta.content) break;
  try {
    await client.chat.completions.create({...fields, messages: []});
    console.log('an empty list of messages is taken');
  } catch (why) {
    want('error', why.status, 400);
  }
})().catch(why => console.log(String(why)));
