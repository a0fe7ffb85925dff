/** What an authenticator may say of its proofs, and what a token says of when and by what it was proven. */
import t from 'tap'
import {
  type AccessTokenInput,
  ANONYMOUS_TOKEN,
  adoptAccessToken,
  createAccessToken,
  withTraits
} from '../../src/identity/identity.ts'
import { isMachine, proofKind, type SaidOfProof } from '../../src/identity/proof-kind.ts'

type Row = [said: SaidOfProof, type: string, carrier: string, ambient: boolean, subject: string, stepUp?: boolean]

const kinds: readonly Row[] = [
  [{}, 'impersonation', 'unknown', true, 'machine'],
  [{}, 'session', 'unknown', true, 'person'],
  [{ carrier: 'unknown', ambient: false }, 'jwt', 'unknown', true, 'machine'],
  [{ carrier: 'cookie' }, 'jwt', 'cookie', true, 'machine'],
  [{ carrier: 'cookie', ambient: false }, 'jwt', 'cookie', true, 'machine'],
  [{ carrier: 'connection' }, 'mtls', 'connection', true, 'machine'],
  [{ carrier: 'header' }, 'session', 'header', false, 'person'],
  [{ carrier: 'authorization' }, 'session', 'authorization', false, 'person'],
  [{ carrier: 'authorization', ambient: true }, 'userpassword', 'authorization', true, 'person'],
  [{ carrier: 'header', subject: 'person' }, 'device', 'header', false, 'person'],
  [{ carrier: 'header', subject: 'machine' }, 'session', 'header', false, 'machine'],
  [{ carrier: 'Header' as 'header' }, 'session', 'unknown', true, 'person'],
  [{ carrier: 'authorization', stepUp: true }, 'jwt', 'authorization', false, 'machine', true],
  [{ carrier: 'authorization', stepUp: 'yes' as never }, 'jwt', 'authorization', false, 'machine', false]
]

for (const [said, type, carrier, ambient, subject, stepUp = false] of kinds) {
  t.test(`${JSON.stringify(said)} of a ${type}`, async (t) => {
    const kind = proofKind(said, type)
    t.same({ ...kind }, { carrier, ambient, subject, stepUp })
    t.equal(kind, proofKind(said, type), 'one object for each kind')
    t.ok(Object.isFrozen(kind))
  })
}

const user = { identifier: 'ada' }

t.test('a proof does not choose its own kind', async (t) => {
  const forged = { carrier: 'authorization', ambient: false, subject: 'person', stepUp: true }
  for (const token of [
    createAccessToken({ type: 'jwt', user, proof: forged }),
    adoptAccessToken({ type: 'jwt', user, proof: Object.create(proofKind({ carrier: 'header' }, 'session')) })
  ])
    t.same({ ...token?.proof }, { carrier: 'unknown', ambient: true, subject: 'machine', stepUp: false })
})

t.test('an authenticated kind takes the place of any other, and the rest of the token stays', async (t) => {
  const token = createAccessToken({ type: 'jwt', user, scopes: ['a:b'], jti: 'j', provenAt: 5, factors: ['pwd'] })
  const kind = proofKind({ carrier: 'cookie', subject: 'person' }, 'jwt')
  const admitted = withTraits(token, { proof: kind })
  t.equal(admitted.proof, kind)
  t.equal(admitted.user, token.user)
  t.same([admitted.scopes, admitted.jti, admitted.provenAt, admitted.factors], [['a:b'], 'j', 5, ['pwd']])
  t.equal(admitted.getUserIdentifier(), 'ada')
})

const damaged: ReadonlyArray<[input: object, provenAt: number | null, factors: string[]]> = [
  [{}, null, []],
  [{ provenAt: 1_700_000_000_000, factors: ['pwd', 'otp'] }, 1_700_000_000_000, ['pwd', 'otp']],
  [{ provenAt: '5', factors: 'pwd' }, null, []],
  [{ provenAt: Number.NaN, factors: ['pwd', 7, null, '', 'otp'] }, null, ['pwd', 'otp']],
  [{ provenAt: null, factors: { 0: 'pwd' } }, null, []],
  [{ provenAt: null, factors: undefined }, null, []]
]

for (const [input, provenAt, factors] of damaged) {
  t.test(`proven by ${JSON.stringify(input)}`, async (t) => {
    const given = { type: 'session', user, ...input } as AccessTokenInput
    for (const token of [createAccessToken(given), adoptAccessToken(given)]) {
      t.equal(token?.provenAt, provenAt)
      t.same(token?.factors, factors)
      t.ok(Object.isFrozen(token?.factors))
    }
  })
}

t.test('a list that the caller keeps is copied', async (t) => {
  const factors = ['pwd']
  const token = createAccessToken({ type: 'session', user, factors })
  factors.push('otp')
  t.same(token.factors, ['pwd'])
})

t.test('the time of a polluted prototype proves nothing', async (t) => {
  const prototype = Object.prototype as { provenAt?: number; factors?: string[] }
  t.teardown(() => {
    delete prototype.provenAt
    delete prototype.factors
  })
  Object.assign(prototype, { provenAt: 5, factors: ['otp'] })
  const token = createAccessToken({ type: 'session', user })
  t.same([token.provenAt, token.factors], [null, []])
})

t.test('scopes narrow machines, and who brought no proof is none', async (t) => {
  t.equal(isMachine(ANONYMOUS_TOKEN), false)
  t.equal(ANONYMOUS_TOKEN.proof.ambient, false)
  t.equal(isMachine(createAccessToken({ type: 'agent', user })), true)
})
