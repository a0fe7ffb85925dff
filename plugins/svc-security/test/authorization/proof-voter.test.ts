/** The voter of proofs: what it supports, how it votes, and the sentence for each finding. */
import { ANONYMOUS_TOKEN, createAccessToken } from 'svc-kernel'
import { proofKind } from 'svc-kernel/plugin'
import t from 'tap'
import { ProofVoter } from '../../src/authorization/proof-voter.ts'

const NOW = 1_700_000_000_000
const voter = new ProofVoter({ now: () => NOW })

const alice = { type: 'session', user: { identifier: 'alice' }, provenAt: NOW - 60_000, factors: ['pwd'] }
const person = createAccessToken({ ...alice, proof: proofKind({ carrier: 'cookie' }, 'session') })
const strong = createAccessToken({ ...person, factors: ['pwd', 'otp', 'passkey'] })
const machine = createAccessToken({ type: 'apikey', user: { identifier: 'alice' } })

t.test('votes and sentences', async (t) => {
  const rows: ReadonlyArray<readonly [typeof person, string, string, string]> = [
    [person, 'FRESH(60)', 'GRANT', 'the proof of alice is at most 60 s old'],
    [person, 'FRESH(59)', 'DENY', 'the proof of alice is older than 59 s, or its time is not known'],
    [person, 'FACTOR(any)', 'DENY', 'alice has not shown a second factor'],
    [person, 'FACTOR(totp)', 'DENY', 'alice has not shown a one-time code'],
    [person, 'FACTOR(passkey)', 'DENY', 'alice has not shown a passkey'],
    [strong, 'FACTOR(any)', 'GRANT', 'alice has shown a second factor'],
    [strong, 'FACTOR(totp)', 'GRANT', 'alice has shown a one-time code'],
    [machine, 'FRESH(60)', 'DENY', 'the credential of alice is that of a machine, which proves no person'],
    [machine, 'FRESH(60,machines)', 'GRANT', 'alice is a machine, which the guard admits'],
    [ANONYMOUS_TOKEN, 'FRESH(60)', 'DENY', 'a visitor proves nothing']
  ]
  for (const [token, attribute, vote, sentence] of rows) {
    t.ok(voter.supports(attribute))
    const cast = voter.vote(token, attribute)
    t.same(cast, vote === 'GRANT' ? 'GRANT' : { vote, reason: sentence }, `${token.type} ${attribute}`)
    t.equal(voter.explain(token, attribute), sentence)
  }
  for (const attribute of ['ROLE_USER', 'orders:read', 'FRESH', 'FRESH(0)', 'own']) t.notOk(voter.supports(attribute))
})
