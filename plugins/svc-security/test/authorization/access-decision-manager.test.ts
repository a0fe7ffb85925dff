/** The decision table of the spec, and every way in which a voter can misbehave. */
import t from 'tap'
import { AccessDecisionManager } from '../../src/authorization/access-decision-manager.ts'
import { RecordedVotes } from '../../src/authorization/recorded-votes.ts'
import type { AccessVoter } from '../../src/authorization/voter.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { aToken } from '../support/tokens.ts'

const never = new Promise<never>(() => {})
const pause = Promise.resolve()

function voter(vote: () => unknown, supports: () => unknown = () => true): AccessVoter {
  return { supports, vote } as AccessVoter
}

function managerOf(voters: readonly AccessVoter[], clock = new ManualClock()): AccessDecisionManager {
  return new AccessDecisionManager(
    voters.map((one, index) => ({ name: `v${index}`, voter: one })),
    1000,
    clock
  )
}

const say = (vote: unknown) => voter(() => vote)
const deaf = voter(
  () => 'GRANT',
  () => false
)
const thenableTwice = {
  // biome-ignore lint/suspicious/noThenProperty: a thenable of a foreign make is what is tested
  then(resolve: (vote: string) => void) {
    resolve('DENY')
    resolve('GRANT')
  }
}
const hostile = {
  get vote(): never {
    throw new Error('getter')
  }
}
const hostileThen = {
  // biome-ignore lint/suspicious/noThenProperty: a hostile getter is what is tested
  get then(): never {
    throw new Error('then')
  }
}

const rows: Array<[title: string, voters: AccessVoter[], reason: string | null]> = [
  ['no voter at all', [], 'no-voter'],
  ['nobody supports', [deaf, deaf], 'no-voter'],
  ['one GRANT', [say('GRANT')], null],
  ['GRANT beside an incompetent voter', [deaf, say('GRANT')], null],
  ['all ABSTAIN', [say('ABSTAIN'), say('ABSTAIN')], 'abstain'],
  ['ABSTAIN then GRANT', [say('ABSTAIN'), say('GRANT')], null],
  ['GRANT then DENY', [say('GRANT'), say('DENY')], 'veto'],
  ['DENY then GRANT', [say('DENY'), say('GRANT')], 'veto'],
  ['promises: GRANT then DENY', [say(Promise.resolve('GRANT')), say(Promise.resolve('DENY'))], 'veto'],
  ['promise ABSTAIN then GRANT at once', [say(Promise.resolve('ABSTAIN')), say('GRANT')], null],
  ['a reasoned GRANT', [say({ vote: 'GRANT', reason: 'owner' })], null],
  ['a reasoned DENY', [say({ vote: 'DENY', reason: 'locked' })], 'veto'],
  ['a thenable that resolves twice: the first counts', [say(thenableTwice)], 'veto'],
  [
    'GRANT then a throw',
    [
      say('GRANT'),
      voter(() => {
        throw new Error('x')
      })
    ],
    'error'
  ],
  [
    'GRANT then a rejection',
    [
      say('GRANT'),
      voter(async () => {
        throw new Error('x')
      })
    ],
    'error'
  ],
  ['a rejection with undefined', [voter(() => Promise.reject(undefined))], 'error'],
  ['a rejection with a text', [voter(() => Promise.reject('text'))], 'error'],
  [
    'supports throws',
    [
      voter(
        () => 'GRANT',
        () => {
          throw new Error('x')
        }
      )
    ],
    'error'
  ],
  [
    'supports answers with a promise',
    [
      voter(
        () => 'GRANT',
        () => Promise.resolve(true)
      )
    ],
    'error'
  ],
  ['a hostile vote', [say(hostile)], 'error'],
  ['a hostile thenable', [say(hostileThen)], 'error'],
  ...['grant', true, 1, null, undefined, '', {}, [], { vote: 'YES' }, Symbol('GRANT'), () => 'GRANT'].map(
    (vote): [string, AccessVoter[], string] => [`garbage ${String(vote)}`, [say('GRANT'), say(vote)], 'error']
  )
]

for (const [title, voters, reason] of rows) {
  t.test(title, async (t) => {
    const verdict = await managerOf(voters).decide(aToken(), 'verb', undefined)
    t.equal(verdict.reason, reason)
    t.equal(verdict.granted, reason === null)
  })
}

t.test('every competent voter is asked unless one denies', async (t) => {
  const asked: string[] = []
  const noting = (name: string, vote: string) => voter(() => asked.push(name) && vote)
  await managerOf([noting('a', 'GRANT'), noting('b', 'GRANT'), noting('c', 'DENY'), noting('d', 'GRANT')]).decide(
    aToken(),
    'verb',
    undefined
  )
  t.same(asked, ['a', 'b', 'c'])
})

t.test('voters that answer at once are decided at once, and no timer is armed', (t) => {
  const clock = new ManualClock()
  const verdict = managerOf([say('GRANT'), say({ vote: 'GRANT' })], clock).decide(aToken(), 'verb', undefined)
  t.notOk(verdict instanceof Promise)
  t.same(clock.armed, [])
  t.end()
})

t.test('a vote that never settles is an error at its deadline; a late answer changes nothing', async (t) => {
  const clock = new ManualClock()
  let answer: (vote: string) => void = () => {}
  const late = voter(
    () =>
      new Promise((resolve) => {
        answer = resolve
      })
  )
  const verdict = managerOf([say('GRANT'), late, say('GRANT')], clock).decide(aToken(), 'verb', undefined)
  t.same(clock.armed, [1000])
  clock.ring()
  answer('GRANT')
  t.match(await verdict, { granted: false, reason: 'error', voter: 'v1' })
  t.same(clock.armed, [])
})

t.test('a vote in time cancels its timer', async (t) => {
  const clock = new ManualClock()
  await managerOf([say(Promise.resolve('GRANT'))], clock).decide(aToken(), 'verb', undefined)
  t.same(clock.armed, [])
})

t.test('the subject and the token reach every voter, whoever else is deciding meanwhile', async (t) => {
  const checks: boolean[] = []
  const echo: AccessVoter = {
    supports: () => true,
    vote: async (token, attribute, subject) => {
      await null
      checks.push(attribute === `verb-${subject}` && token.getUserIdentifier() === `user-${subject}`)
      return Number(subject) % 2 === 0 ? 'GRANT' : 'ABSTAIN'
    }
  }
  const jury = managerOf([echo, echo])
  const verdicts = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => jury.decide(aToken({ identifier: `user-${n}` }), `verb-${n}`, n))
  )
  t.equal(checks.length, 2000)
  t.ok(checks.every(Boolean))
  t.ok(verdicts.every(({ granted }, n) => granted === (n % 2 === 0)))
})

const recursive: Array<[string, (ask: () => unknown) => AccessVoter]> = [
  ['at once', (ask) => voter(() => ask() && 'GRANT')],
  ['after a pause', (ask) => voter(async () => pause.then(ask).then(() => 'GRANT'))],
  [
    'as a plain function that returns a promise',
    (ask) =>
      voter(() =>
        Promise.resolve()
          .then(ask)
          .then(() => 'GRANT')
      )
  ]
]
for (const [title, make] of recursive) {
  t.test(`a voter that asks the jury without end, ${title}, is stopped`, async (t) => {
    let asked = 0
    let refused = 0
    const looping = make(async () => {
      asked += 1
      const verdict = await jury.decide(aToken(), 'verb', undefined)
      if (verdict.reason === 'error') refused += 1
    })
    const jury: AccessDecisionManager = managerOf([looping])
    await jury.decide(aToken(), 'verb', undefined)
    t.ok(asked < 20, `asked ${asked} times`)
    t.ok(refused > 0)
  })
}

t.test('the depth of one decision does not weigh on the next', async (t) => {
  const jury: AccessDecisionManager = managerOf([voter(async () => pause.then(() => 'GRANT'))])
  for (let round = 0; round < 30; round += 1) {
    t.equal((await jury.decide(aToken(), 'verb', undefined)).granted, true)
  }
})

t.test('a trace holds every vote cast, in order, with reasons', async (t) => {
  const votes = new RecordedVotes()
  const voters = [
    say('GRANT'),
    deaf,
    say({ vote: 'ABSTAIN', reason: 'not mine' }),
    voter(() => {
      throw new Error('x')
    })
  ]
  await managerOf(voters).decide(aToken(), 'verb', undefined, votes)
  t.same(votes.cast, [
    { voter: 'v0', vote: 'GRANT' },
    { voter: 'v2', vote: 'ABSTAIN', reason: 'not mine' },
    { voter: 'v3', vote: 'ERROR' }
  ])
})

t.test('a veto names its voter and its reason', async (t) => {
  const verdict = await managerOf([say('GRANT'), say({ vote: 'DENY', reason: 'account frozen' })]).decide(
    aToken(),
    'verb',
    undefined
  )
  t.match(verdict, { reason: 'veto', voter: 'v1', detail: 'account frozen' })
})

t.test('a promise that never settles keeps nothing else from being decided', async (t) => {
  const clock = new ManualClock()
  const jury = managerOf([voter(() => never)], clock)
  const first = jury.decide(aToken(), 'verb', undefined)
  const second = jury.decide(aToken(), 'verb', undefined)
  t.same(clock.armed, [1000, 1000])
  clock.ring()
  t.equal((await first).reason, 'error')
  t.equal((await second).reason, 'error')
})
