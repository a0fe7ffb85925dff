/** What is shown of options, and what is not. */
import t from 'tap'
import { maskOptions } from '../../src/options/mask-options.ts'

t.test('N7: secrets, credentials in addresses and live objects', async (t) => {
  const shown = maskOptions({
    encryptionKey: 'c2VjcmV0',
    jwt: { keySetJson: '{"d":"x"}', dir: 'keys' },
    connectors: { svc: { uri: 'mongodb://ann:sesame@h1,h2/db', password: 'sesame' } },
    redis: { url: 'redis://:a/b@c@h1/0?password=sesame&db=1' },
    passwords: { memoryKib: 7168, list: ['sesame'] },
    headers: { authorization: 'Bearer sesame', 'x-own': 'sesame' },
    apiKeys: { maxPerSubject: 5, prefix: 'svc' },
    parts: { clock: { now: () => 0 }, store: new Map() },
    enabled: true
  })
  t.strictSame(shown, {
    encryptionKey: '[set]',
    jwt: { keySetJson: '[set]', dir: 'keys' },
    connectors: { svc: { uri: 'mongodb://***@h1,h2/db', password: '[set]' } },
    redis: { url: 'redis://***@h1/0?password=***&db=1' },
    passwords: { memoryKib: 7168, list: ['[set]'] },
    headers: { authorization: '[set]', 'x-own': '[set]' },
    apiKeys: { maxPerSubject: 5, prefix: 'svc' },
    parts: { clock: { now: '[function now]' }, store: '[Map]' },
    enabled: true
  })
})

t.test('what refers to itself ends', async (t) => {
  const self: Record<string, unknown> = {}
  self.self = self
  t.match(JSON.stringify(maskOptions(self)), /\[\.\.\.\]/)
})
