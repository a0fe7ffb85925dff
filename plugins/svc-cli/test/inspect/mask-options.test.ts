/** What is shown of options, and what is not. */
import t from 'tap'
import { maskOptions } from '../../src/inspect/info.ts'

t.test('N7: secrets, credentials in addresses and live objects', async (t) => {
  const shown = maskOptions({
    encryptionKey: 'c2VjcmV0',
    jwt: { keySetJson: '{"d":"x"}', dir: 'keys' },
    connectors: { svc: { uri: 'mongodb://ann:sesame@h1,h2/db', password: 'sesame' } },
    apiKeys: { maxPerSubject: 5 },
    parts: { clock: { now: () => 0 }, store: new Map() },
    enabled: true
  })
  t.strictSame(shown, {
    encryptionKey: '[set]',
    jwt: { keySetJson: '[set]', dir: 'keys' },
    connectors: { svc: { uri: 'mongodb://***@h1,h2/db', password: '[set]' } },
    apiKeys: { maxPerSubject: 5 },
    parts: { clock: { now: '[function now]' }, store: '[Map]' },
    enabled: true
  })
})
