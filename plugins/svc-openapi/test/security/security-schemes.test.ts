/** Authenticators as security schemes, whatever they are called. */
import type { Carrier } from 'svc-kernel'
import { proofKind } from 'svc-kernel/plugin'
import t from 'tap'
import type { SecurityScheme } from '../../src/options.ts'
import { type DescribedProof, securitySchemes } from '../../src/security/security-schemes.ts'

const said = (carrier: Carrier, openapi: SecurityScheme | null = null): DescribedProof => ({
  proof: proofKind({ carrier }, 'x'),
  openapi
})

const proofs: Readonly<Record<string, DescribedProof>> = {
  ticket: said('header', { type: 'apiKey', in: 'header', name: 'x-ticket' }),
  mine: said('authorization', { type: 'http', scheme: 'digest' }),
  device: said('connection'),
  badge: said('cookie'),
  'x-key': said('header'),
  hawk: said('authorization'),
  other: said('unknown')
}
const proofOf = (name: string) => (Object.hasOwn(proofs, name) ? (proofs[name] ?? null) : null)

const expected: ReadonlyArray<[name: string, scheme: object]> = [
  ['ticket', { type: 'apiKey', in: 'header', name: 'x-ticket' }],
  ['mine', { type: 'http', scheme: 'bearer' }],
  ['device', { type: 'mutualTLS' }],
  ['badge', { type: 'apiKey', in: 'cookie', name: 'badge' }],
  ['x-key', { type: 'apiKey', in: 'header', name: 'x-key' }],
  ['hawk', { type: 'apiKey', in: 'header', name: 'Authorization' }],
  ['other', { type: 'apiKey', in: 'header', name: 'Authorization', description: /"other"/ }]
]

for (const [name, scheme] of expected) {
  t.test(`H6: ${name} is described as it says itself, unless the application says otherwise`, async (t) => {
    const schemes = securitySchemes([name, name], { mine: { type: 'http', scheme: 'bearer' } }, proofOf)
    t.strictSame(Object.keys(schemes), [name])
    t.match(schemes[name], scheme)
  })
}

for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
  t.test(`an authenticator called ${name}`, async (t) => {
    const schemes = securitySchemes([name], {}, proofOf)
    t.strictSame(Object.keys(schemes), [name])
    t.match(Object.getOwnPropertyDescriptor(schemes, name)?.value, { type: 'apiKey', in: 'header' })
  })
}
