/** Every sequence of up to four voters over seven behaviours, against a model of five lines. */
import fc from 'fast-check'
import t from 'tap'
import { AccessDecisionManager } from '../../src/authorization/access-decision-manager.ts'
import type { AccessVoter } from '../../src/authorization/voter.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { aToken } from '../support/tokens.ts'

const BEHAVIOURS = ['GRANT', 'DENY', 'ABSTAIN', 'throw', 'reject', 'garbage', 'never'] as const
type Behaviour = (typeof BEHAVIOURS)[number]

/** Never the code under test: granted iff no DENY, no failure, and at least one GRANT. */
function model(sequence: readonly Behaviour[]): string | null {
  const stop = sequence.find((one) => one !== 'GRANT' && one !== 'ABSTAIN')
  if (stop !== undefined) return stop === 'DENY' ? 'veto' : 'error'
  if (sequence.includes('GRANT')) return null
  return sequence.length === 0 ? 'no-voter' : 'abstain'
}

function act(behaviour: Behaviour, later: boolean): unknown {
  switch (behaviour) {
    case 'throw':
      throw new Error('thrown')
    case 'reject':
      return Promise.reject(new Error('rejected'))
    case 'garbage':
      return later ? Promise.resolve({ vote: 'PERHAPS' }) : 'PERHAPS'
    case 'never':
      return new Promise(() => {})
    default:
      return later ? Promise.resolve(behaviour) : behaviour
  }
}

async function decide(sequence: readonly Behaviour[], later: boolean): Promise<string | null> {
  const clock = new ManualClock()
  const voters = sequence.map((behaviour, index) => ({
    name: `v${index}`,
    voter: { supports: () => true, vote: () => act(behaviour, later) } as unknown as AccessVoter
  }))
  const pending = new AccessDecisionManager(voters, 1000, clock).decide(aToken(), 'verb', undefined)
  let settled = false
  const verdict = Promise.resolve(pending).finally(() => {
    settled = true
  })
  while (!settled) {
    await new Promise(setImmediate)
    clock.ring()
  }
  return (await verdict).reason
}

function sequences(length: number): Behaviour[][] {
  if (length === 0) return [[]]
  return sequences(length - 1).flatMap((head) => BEHAVIOURS.map((one) => [...head, one]))
}

for (const later of [false, true]) {
  t.test(`all sequences up to length 4, answered ${later ? 'later' : 'at once'}`, async (t) => {
    const all = [0, 1, 2, 3, 4].flatMap(sequences)
    t.equal(all.length, 1 + 7 + 49 + 343 + 2401)
    const wrong = []
    for (const sequence of all) {
      const reason = await decide(sequence, later)
      if (reason !== model(sequence)) wrong.push({ sequence, reason, expected: model(sequence) })
    }
    t.same(wrong, [])
  })
}

t.test('longer sequences, voters answering in any mixture', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...BEHAVIOURS), { maxLength: 12 }), fc.boolean(), async (all, later) => {
      return (await decide(all, later)) === model(all)
    }),
    { numRuns: 300 }
  )
})
