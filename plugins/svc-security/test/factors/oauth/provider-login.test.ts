/** What an ID token says of the login behind it, by a table. */
import t from 'tap'
import { providerLogin } from '../../../src/factors/oauth/provider-login.ts'

const NOW = 1_700_000_000_500
const SECONDS = 1_700_000_000

t.test('when: what is said, or now where nothing is', (t) => {
  const rows: ReadonlyArray<readonly [unknown, number]> = [
    [undefined, NOW],
    [SECONDS, SECONDS * 1000],
    [SECONDS - 86_400, (SECONDS - 86_400) * 1000],
    [SECONDS + 1, NOW],
    [SECONDS + 60, NOW],
    [SECONDS + 61, 0],
    ['1700000000', 0],
    [1.5, 0],
    [-1, 0],
    [0, 0],
    [null, 0],
    [Number.MAX_VALUE, 0]
  ]
  for (const [time, provenAt] of rows) {
    t.equal(providerLogin({ auth_time: time }, NOW, []).provenAt, provenAt, JSON.stringify(time))
  }
  t.end()
})

t.test('by what: nothing counts but what the application accepts', (t) => {
  const accepted = ['mfa', 'urn:example:strong']
  const rows: ReadonlyArray<readonly [object, readonly string[], readonly string[]]> = [
    [{}, accepted, ['social']],
    [{ amr: ['pwd'] }, accepted, ['social', 'social:pwd']],
    [{ amr: ['pwd', 'mfa'] }, accepted, ['social', 'federated', 'social:pwd', 'social:mfa']],
    [{ amr: ['pwd', 'mfa'] }, [], ['social', 'social:pwd', 'social:mfa']],
    [{ acr: 'urn:example:strong' }, accepted, ['social', 'federated', 'social:urn:example:strong']],
    [{ amr: 'mfa', acr: ['mfa'] }, accepted, ['social']],
    [{ amr: ['pwd mfa', 7, null, ''] }, accepted, ['social']],
    [{ amr: ['otp', 'passkey'] }, accepted, ['social', 'social:otp', 'social:passkey']],
    [
      { amr: [...Array.from({ length: 10 }, (_, index) => `x${index}`), 'mfa'] },
      accepted,
      ['social', ...Array.from({ length: 10 }, (_, index) => `social:x${index}`)]
    ]
  ]
  for (const [claims, values, factors] of rows) {
    t.strictSame(providerLogin(claims as never, NOW, values).factors, factors, JSON.stringify(claims))
  }
  t.end()
})
