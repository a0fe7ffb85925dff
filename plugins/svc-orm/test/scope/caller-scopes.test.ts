/** The scopes of callers: of requests, of work that enters them, and of what leaves them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { runInContext } from 'svc-kernel/plugin'
import t from 'tap'
import { CallerScopes } from '../../src/scope/caller-scopes.ts'

const requestOf = (headers: Record<string, string> = {}) => ({ headers }) as FastifyRequest

/** What a table of this scope would see. */
const seen = (scopes: CallerScopes) => scopes.value('organization', 'Note')

const NONE = { code: 'SVC_ORM_NO_SCOPE', statusCode: 500 }

t.test('a request is asked once, when its scope is needed first; none is asked again', (t) => {
  const answers = [null, 'a', 'b']
  let asked = 0
  const scopes = new CallerScopes({ organization: () => answers[asked++] ?? null })
  runInContext(requestOf(), () => {
    t.throws(() => seen(scopes), NONE)
    t.equal(seen(scopes), 'a')
    t.equal(seen(scopes), 'a')
    t.equal(asked, 2)
  })
  runInContext(requestOf(), () => t.equal(seen(scopes), 'b'))
  t.throws(() => seen(scopes), NONE)
  t.end()
})

t.test('a WebSocket, whose one request lasts as long as it does, is asked each time', (t) => {
  let current = 'a'
  const scopes = new CallerScopes({ organization: () => current })
  runInContext(requestOf({ upgrade: 'websocket' }), () => {
    t.equal(seen(scopes), 'a')
    current = 'b'
    t.equal(seen(scopes), 'b')
  })
  t.end()
})

t.test('an answer that is no text is none', (t) => {
  for (const answer of ['', 'a\0', 7, {}, ['a'], true]) {
    const scopes = new CallerScopes({ organization: () => answer as string })
    runInContext(requestOf(), () => t.throws(() => seen(scopes), NONE))
  }
  const undefinedIs = new CallerScopes({ organization: () => undefined as never })
  runInContext(requestOf(), () => t.throws(() => seen(undefinedIs), NONE))
  const inherited = new CallerScopes(Object.create({ organization: () => 'a' }))
  runInContext(requestOf(), () => t.throws(() => seen(inherited), NONE))
  t.end()
})

t.test('the error names the entity, the scope and the way, and no value', (t) => {
  const scopes = new CallerScopes()
  t.throws(() => seen(scopes), {
    message:
      'Note has no value of the scope "organization" here: run it in orm.withScope({ organization: id }, work), or set parts.scopes.organization'
  })
  t.throws(() => scopes.with({ organization: 'secret\0' }, () => undefined), { message: /withScope/ })
  try {
    scopes.with({ organization: 'secret\0' }, () => undefined)
  } catch (error) {
    t.notMatch((error as Error).message, /secret/)
  }
  t.end()
})

t.test('what is entered around a request does not reach into it', (t) => {
  const open = new CallerScopes()
  const known = new CallerScopes({ organization: () => 'a' })
  open.with({ organization: 'b' }, () => runInContext(requestOf(), () => t.throws(() => seen(open), NONE)))
  open.across(() =>
    runInContext(requestOf(), () => {
      t.throws(() => seen(open), NONE)
      t.equal(open.isAcross, false)
    })
  )
  known.with({ organization: 'b' }, () => runInContext(requestOf(), () => t.equal(seen(known), 'a')))
  known.across(() => runInContext(requestOf(), () => t.equal(seen(known), 'a')))
  // And the other way: a request does not see what another one entered.
  const outer = requestOf()
  runInContext(outer, () =>
    known.across(() => {
      t.equal(seen(known), null)
      runInContext(requestOf(), () => t.equal(seen(known), 'a'))
      t.equal(seen(known), null)
    })
  )
  t.end()
})

t.test('a request keeps its scope against withScope, which narrows what goes across', (t) => {
  const scopes = new CallerScopes({ organization: () => 'a', region: () => null })
  runInContext(requestOf(), () => {
    t.throws(() => scopes.with({ organization: 'b' }, () => seen(scopes)), { code: 'SVC_ORM_OTHER_SCOPE' })
    t.equal(
      scopes.with({ organization: 'a', region: 'r' }, () => seen(scopes)),
      'a'
    )
    scopes.across(() => {
      t.equal(scopes.isAcross, true)
      scopes.with({ organization: 'b' }, () => {
        t.equal(seen(scopes), 'b')
        t.equal(scopes.isAcross, false)
        t.equal(scopes.value('region', 'Note'), null)
        t.throws(() => scopes.with({ organization: 'a' }, () => undefined), { code: 'SVC_ORM_OTHER_SCOPE' })
        t.equal(
          scopes.across(() => seen(scopes)),
          null
        )
      })
    })
    t.equal(seen(scopes), 'a')
  })
  t.end()
})

t.test('two applications of one process know nothing of each other', (t) => {
  const [one, other] = [new CallerScopes(), new CallerScopes()]
  one.across(() => t.throws(() => seen(other), NONE))
  one.with({ organization: 'a' }, () => t.throws(() => seen(other), NONE))
  t.end()
})

t.test('a hundred pieces of work at once see their own', async (t) => {
  const scopes = new CallerScopes()
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      scopes.with({ organization: `o${number}` }, async () => {
        await new Promise(setImmediate)
        const before = seen(scopes)
        await new Promise(setImmediate)
        return [before, seen(scopes)]
      })
    )
  )
  t.strictSame(
    outcomes,
    outcomes.map((_, number) => [`o${number}`, `o${number}`])
  )
})

t.test('held scopes are those of then, in any context', (t) => {
  const scopes = new CallerScopes({ organization: () => 'a' })
  const outside = AsyncLocalStorage.snapshot()
  const ofRequest = runInContext(requestOf(), () => scopes.held(['organization']))
  const across = scopes.across(() => scopes.held(['organization']))
  const none = scopes.held(['organization'])
  const inContexts = (work: () => void) => {
    outside(work)
    runInContext(requestOf(), work)
    scopes.with({ organization: 'b' }, work)
    scopes.across(work)
  }
  inContexts(() => {
    t.equal(
      ofRequest(() => seen(scopes)),
      'a'
    )
    t.equal(
      across(() => seen(scopes)),
      null
    )
  })
  runInContext(requestOf(), () => t.throws(() => none(() => seen(scopes)), NONE))
  scopes.across(() => t.throws(() => none(() => seen(scopes)), NONE))
  scopes.with({ organization: 'b' }, () => t.throws(() => none(() => seen(scopes)), NONE))
  t.end()
})
