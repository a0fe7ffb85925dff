/** Names of parameters whose values are not shown, and values that give a secret away by themselves. */
import t from 'tap'
import { isSecretName, isSecretParameter, shownUrl } from '../../src/plugin.ts'

t.test('X7: one list says what a secret is called, and URLs have what proves something once', async (t) => {
  for (const name of ['pwd', 'Password', 'x-api-key', 'code', 'state', 'nonce', 'session', 'sid', 'SAMLRequest.sig'])
    t.ok(isSecretParameter(name), name)
  for (const name of ['page', 'q', 'sort', 'limit', 'next', 'id']) t.notOk(isSecretParameter(name), name)
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) t.notOk(isSecretName(name), name)
})

t.test('X7: a URL is shown without credentials, however deep', async (t) => {
  let inner = '/reset?token=hunter2'
  for (let depth = 0; depth < 9; depth += 1) {
    inner = `/next?to=${encodeURIComponent(inner)}`
    t.notMatch(shownUrl(inner), /hunter2/, `${depth}`)
  }
  t.equal(shownUrl('//ann:hunter2@x.example/a?b=1'), '//[redacted]@x.example/a?b=1')
})
