/** Area `jury`: every way a vote can come, be late, be missing or be broken, and what is decided and told then. */
import { ABSTAIN, DENY, GRANT, registerVoterFactory } from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import { ERROR, WARN } from '../../support/log-lines.ts'
import { until } from '../../support/until.ts'
import { juryApp, onVerb, tokenOf, VERB } from './jury-app.ts'
import { securityCase } from './security-case.ts'

/** What may be thrown that is no decent Error. */
const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  'a text',
  Object.freeze({ frozen: true }),
  Object.create(null),
  Symbol('no text'),
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      getPrototypeOf: () => {
        throw new Error('no')
      }
    }
  ),
  Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('no')
    }
  })
]

function failing(thrown: unknown): () => never {
  return () => {
    throw thrown
  }
}

securityCase('JUR-02', async (t) => {
  let asked = 0
  const second = onVerb(() => {
    asked += 1
    return GRANT
  })
  for (const first of [onVerb(() => DENY), onVerb(async () => DENY)]) {
    const { jury, ask } = await juryApp(t, [first, second])
    t.match(await jury.explain(tokenOf(), VERB), { granted: false, reason: 'veto' })
    t.equal((await ask()).status, 403)
  }
  t.equal(asked, 0)
})

securityCase('JUR-03', async (t) => {
  const asked: string[] = []
  const granting = (name: string, vote: unknown) =>
    onVerb(() => {
      asked.push(name)
      return vote as typeof GRANT
    }, name)
  const { jury, ask } = await juryApp(t, [
    granting('a', GRANT),
    granting('b', Promise.resolve(GRANT)),
    granting('c', GRANT)
  ])
  t.equal(await jury.decide(tokenOf(), VERB), true)
  t.strictSame(asked, ['a', 'b', 'c'])
  t.equal((await ask()).status, 200)
  const { jury: vetoed } = await juryApp(t, [granting('d', GRANT), onVerb(() => DENY)])
  t.equal(await vetoed.decide(tokenOf(), VERB), false)
})

securityCase('JUR-04', async (t) => {
  const { jury, ask, records } = await juryApp(t, [onVerb(() => ABSTAIN), onVerb(async () => ABSTAIN)])
  t.equal((await ask()).status, 403)
  t.match(records, [{ action: 'access.denied', reason: 'abstain' }])
  t.match(await jury.explain(tokenOf(), VERB), { granted: false, reason: 'abstain' })
})

securityCase('JUR-05', async (t) => {
  const { jury, ask, records, lines } = await juryApp(t, [])
  t.equal((await ask()).status, 403)
  t.match(records, [{ action: 'access.denied', reason: 'no-voter' }])
  t.match(await jury.explain(tokenOf(), VERB), { granted: false, reason: 'no-voter', votes: [] })
  t.match(
    lines.filter(({ code }) => code === 'SVC_NO_VOTER'),
    [{ level: WARN }],
    'and the boot has warned'
  )
})

securityCase('JUR-06', async (t) => {
  const { jury, ask, records, lines } = await juryApp(t, [onVerb(failing(new Error('the directory is down')))])
  t.equal((await ask()).status, 403)
  t.match(records, [{ action: 'access.denied', reason: 'error' }])
  const shown = lines.filter(({ level }) => level === ERROR)
  t.match(shown, [{ reason: 'error', voter: 'tested', error: { message: 'the directory is down' } }])
  t.equal(jury.decide(tokenOf(), VERB), false, 'neither a throw nor a rejection')
})

securityCase('JUR-08', async (t) => {
  for (const [row, thrown] of HOSTILE.entries()) {
    const { jury, ask, lines } = await juryApp(t, [onVerb(() => Promise.reject(thrown))])
    t.equal((await ask()).status, 403, `row ${row}`)
    t.equal(await jury.decide(tokenOf(), VERB), false)
    t.equal(lines.filter(({ level }) => level === ERROR).length, 2)
  }
})

securityCase('JUR-09', async (t) => {
  const grant = onVerb(() => GRANT)
  for (const supports of [failing(new Error('cannot tell')), async () => true]) {
    const { jury, ask } = await juryApp(t, [grant, { supports: supports as () => never, vote: () => GRANT }])
    t.match(await jury.explain(tokenOf(), VERB), { granted: false, reason: 'error' })
    t.equal((await ask()).status, 403)
  }
})

securityCase('JUR-13', async (t) => {
  const twice = (first: unknown, second: unknown) => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that settles twice is the case
    then(resolve: (vote: unknown) => void) {
      resolve(first)
      resolve(second)
    }
  })
  for (const [first, second, granted] of [
    [DENY, GRANT, false],
    [GRANT, DENY, true]
  ] as const) {
    const { jury } = await juryApp(t, [onVerb(() => twice(first, second) as unknown as typeof GRANT)])
    t.equal(await jury.decide(tokenOf(), VERB), granted)
  }
})

securityCase('JUR-14', async (t) => {
  const clock = new ManualClock()
  let answerLate: (vote: typeof GRANT) => void = () => undefined
  const late = new Promise<typeof GRANT>((resolve) => {
    answerLate = resolve
  })
  const { ask, records } = await juryApp(t, [onVerb(() => late)], { parts: { clock } })
  const pending = ask()
  await until(() => clock.pending > 0, 'a timer')
  clock.advance(60_000)
  const answer = await pending
  t.equal(answer.status, 403)
  t.match(records, [{ reason: 'error' }])
  answerLate(GRANT)
  await late
  t.equal(records.length, 1, 'the late grant changes nothing')
  t.equal(clock.pending, 0)
})

securityCase('JUR-15', async (t) => {
  for (const vote of [failing(new Error('x')), () => Promise.reject(new Error('x')), () => 'YES' as typeof GRANT]) {
    const { jury } = await juryApp(t, [onVerb(() => GRANT, 'before'), onVerb(vote), onVerb(() => GRANT, 'behind')])
    t.match(await jury.explain(tokenOf(), VERB), {
      granted: false,
      reason: 'error',
      votes: [
        { voter: 'before', vote: 'GRANT' },
        { voter: 'tested', vote: 'ERROR' }
      ]
    })
  }
})

securityCase('JUR-17', async (t) => {
  let depth = 0
  const recursive = (pause: boolean) => ({
    supports: (attribute: string) => attribute === VERB,
    vote: (token: Parameters<typeof jury.decide>[0]) => {
      depth += 1
      const again = () => jury.decide(token, VERB) as boolean | Promise<boolean>
      const settle = (granted: boolean) => (granted ? GRANT : ABSTAIN)
      if (pause) return Promise.resolve().then(again).then(settle)
      return settle(again() as boolean)
    }
  })
  const synchronous = await juryApp(t, [recursive(false)])
  let { jury } = synchronous
  t.equal(jury.decide(tokenOf(), VERB), false)
  t.ok(depth < 20, `${depth} decisions deep`)
  depth = 0
  const pausing = await juryApp(t, [recursive(true)])
  jury = pausing.jury
  t.equal(await jury.decide(tokenOf(), VERB), false)
  t.ok(depth < 20, `${depth} decisions deep, through promises`)
  t.equal((await pausing.ask()).status, 403)
})

securityCase('JUR-18', async (t) => {
  // An attribute of its own, as the voter stays registered for the cases behind this one.
  const make = () => ({ supports: (attribute: string) => attribute === 'case-18', vote: () => GRANT })
  registerVoterFactory('case-18', make)
  t.throws(() => registerVoterFactory('case-18', make), { code: 'SVC_KERNEL_DUPLICATE_NAME' })
  t.throws(() => registerVoterFactory('role', make), { code: 'SVC_KERNEL_DUPLICATE_NAME' })
  const { jury } = await juryApp(t, [])
  t.equal(jury.decide(tokenOf(), 'case-18'), true)
  t.throws(() => registerVoterFactory('case-18-late', make), { code: 'SVC_KERNEL_REGISTRY_SEALED' })
})

securityCase('JUR-20', async (t) => {
  const casts = { GRANT: () => GRANT, DENY: () => DENY, ABSTAIN: () => ABSTAIN, throws: failing(new Error('x')) }
  const kinds = Object.keys(casts) as Array<keyof typeof casts>
  let script: Array<keyof typeof casts> = []
  const seats = [0, 1, 2, 3].map((seat) => ({
    supports: (attribute: string) => attribute === 'sequence' && seat < script.length,
    vote: () => {
      const cast = casts[script[seat] as keyof typeof casts]
      // Every other seat answers later, so that both ways of answering meet in all orders.
      return seat % 2 === 0 ? cast() : Promise.resolve().then(cast)
    }
  }))
  const { jury } = await juryApp(t, seats)
  const sequences: Array<typeof script> = [[]]
  for (let index = 0; (sequences[index]?.length ?? 4) < 4; index += 1) {
    for (const kind of kinds) sequences.push([...(sequences[index] ?? []), kind])
  }
  t.equal(sequences.length, 1 + 4 + 16 + 64 + 256)
  const wrong: string[] = []
  for (script of sequences) {
    const model = !script.includes('DENY') && !script.includes('throws') && script.includes('GRANT')
    if ((await jury.decide(tokenOf(), 'sequence')) !== model) wrong.push(script.join(' '))
  }
  t.strictSame(wrong, [])
})

securityCase('JUR-21', async (t) => {
  const { ask, records, lines } = await juryApp(t, [onVerb(() => ({ vote: DENY, reason: 'embargo' }))])
  await ask('mallory/ROLE_USER/secret:scope')
  t.match(records, [
    { category: 'authz', action: 'access.denied', outcome: 'denied', actor: 'mallory', resource: VERB, reason: 'veto' }
  ])
  const warnings = lines.filter(({ msg }) => msg === 'access denied')
  t.match(warnings, [{ level: WARN, attribute: VERB, reason: 'veto', actor: 'mallory', detail: 'embargo' }])
  t.notMatch(JSON.stringify([records, lines]), 'secret:scope', 'the credential is nowhere')
  t.notMatch(JSON.stringify([records, lines]), 'Bearer')
})

securityCase('JUR-22', async (t) => {
  const { ask, jury, records } = await juryApp(t, [onVerb(() => GRANT)])
  t.equal((await ask()).status, 200)
  t.equal(await jury.decide(tokenOf(), VERB), true)
  t.strictSame(records, [])
})

securityCase('JUR-23', async (t) => {
  for (const record of [
    failing(new Error('disk full')),
    () => new Promise(() => undefined),
    () => Promise.reject(new Error('x'))
  ]) {
    const { ask } = await juryApp(t, [onVerb(() => DENY)], { record })
    t.equal((await ask()).status, 403)
  }
})

securityCase('JUR-24', async (t) => {
  const bodies = new Set<string>()
  for (const voters of [[onVerb(() => DENY)], [onVerb(() => ABSTAIN)], [], [onVerb(failing(new Error('x')))]]) {
    const { ask } = await juryApp(t, voters)
    const { body, headers } = await ask()
    bodies.add(JSON.stringify({ body, type: headers['content-type'], length: headers['content-length'] }))
  }
  t.equal(bodies.size, 1)
  t.match([...bodies][0], 'SVC_SEC_DENIED')
})

securityCase('JUR-26', async (t) => {
  const { ask } = await juryApp(t, [onVerb(() => GRANT)], { security: { areas: {} } })
  t.equal((await ask('')).status, 403)
  t.equal((await ask('alice')).status, 403, 'outside of every zone nobody looks at the credential')
})

securityCase('JUR-27', async (t) => {
  const proven = { areas: { site: { pattern: '^/', authenticators: ['bearer'] } } }
  const { ask: asVisitor } = await juryApp(t, [])
  const { ask: asStranger } = await juryApp(t, [], { security: proven })
  t.equal((await asVisitor('', '/post/role')).status, 403)
  t.equal((await asStranger('', '/post/role')).status, 401)
  t.equal((await asVisitor('alice/ROLE_USER', '/post/role')).status, 200)
})

securityCase('JUR-28', async (t) => {
  const slow = onVerb(async (token, _attribute, subject) => {
    for (let turns = Number(subject) % 5; turns >= 0; turns -= 1) await new Promise((resume) => setImmediate(resume))
    return token.getUserIdentifier() === `user-${subject}` ? GRANT : ABSTAIN
  })
  const { jury } = await juryApp(t, [slow])
  const decisions = Array.from({ length: 1000 }, (_, index) => {
    const owner = index % 3 === 0 ? index + 1 : index
    return jury.decide(tokenOf({ identifier: `user-${owner}` }), VERB, index)
  })
  const wrong = (await Promise.all(decisions)).flatMap((granted, index) =>
    granted === (index % 3 !== 0) ? [] : [index]
  )
  t.strictSame(wrong, [])
})
