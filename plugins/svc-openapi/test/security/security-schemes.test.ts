/** Authenticators as security schemes, whatever they are called. */
import t from 'tap'
import { securitySchemes } from '../../src/security/security-schemes.ts'

t.test('built-in ones, the application’s own, and those it describes', async (t) => {
  const given = { mine: { type: 'http', scheme: 'digest' }, jwt: { type: 'http', scheme: 'bearer' } }
  const schemes = securitySchemes(['session', 'mine', 'jwt', 'mine', 'other'], given)
  t.strictSame(Object.keys(schemes), ['jwt', 'mine', 'other', 'session'])
  t.match(schemes, {
    jwt: { type: 'http', scheme: 'bearer', bearerFormat: undefined },
    mine: { type: 'http', scheme: 'digest' },
    other: { type: 'apiKey', in: 'header', name: 'Authorization' },
    session: { type: 'apiKey', in: 'cookie' }
  })
})

for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
  t.test(`an authenticator called ${name}`, async (t) => {
    const schemes = securitySchemes([name], {})
    t.strictSame(Object.keys(schemes), [name])
    t.match(Object.getOwnPropertyDescriptor(schemes, name)?.value, { type: 'apiKey', in: 'header' })
  })
}
