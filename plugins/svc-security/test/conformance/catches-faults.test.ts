/** A suite that no store can fail proves nothing: each of these stores has one fault, and its suite finds it. */
import { setImmediate } from 'node:timers/promises'
import type { StoreParts } from 'svc-stores'
import type { ConformanceRunner, ConformanceSubject } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import {
  idempotencyStoreConformance,
  passkeysStoreConformance,
  sessionStoreConformance,
  tokensStoreConformance,
  totpStoreConformance,
  userStoreConformance
} from '../../src/conformance/index.ts'
import { TablePasskeysStore } from '../../src/factors/passkeys/passkeys-store.ts'
import { TableTotpStore } from '../../src/factors/totp/totp-store.ts'
import { TableIdempotencyStore } from '../../src/idempotency/idempotency-store.ts'
import { TableSessionStore } from '../../src/sessions/session-store.ts'
import { TableTokensStore } from '../../src/token-store/tokens-store.ts'
import { TableUserStore } from '../../src/users/user-store.ts'

type Suite<Store> = (runner: ConformanceRunner, subject: ConformanceSubject<Store>) => Promise<void>

/** The names of the cases that fail. */
async function failures<Store>(
  suite: Suite<Store>,
  makeStore: ConformanceSubject<Store>['makeStore'],
  faults: ConformanceSubject<Store>['faults'] = null
) {
  const failed: string[] = []
  const runner = {
    test: async (name: string, body: () => Promise<void>) => {
      await body().catch(() => failed.push(name))
    }
  }
  await suite(runner, { makeStore, faults })
  return failed
}

class MemorySessionStore extends TableSessionStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class MemoryUserStore extends TableUserStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class MemoryTokensStore extends TableTokensStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class MemoryPasskeysStore extends TablePasskeysStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class MemoryTotpStore extends TableTotpStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class MemoryIdempotencyStore extends TableIdempotencyStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class LastReasonWins extends MemoryTokensStore {
  readonly #reasons = new Map<string, string>()
  override async revoke(id: string, reason: string) {
    this.#reasons.set(id, reason)
    return super.revoke(id, reason)
  }
  override async find(id: string) {
    const found = await super.find(id)
    return found === null ? null : { ...found, revokedReason: this.#reasons.get(id) ?? found.revokedReason }
  }
}

class RotatesTwice extends MemoryTokensStore {
  override async rotate(id: string, successor: Parameters<MemoryTokensStore['rotate']>[1]) {
    const found = await this.find(id)
    if (found === null || found.revokedAt !== null) return false
    await setImmediate()
    await this.create(successor)
    await this.revoke(id, 'rotated')
    return true
  }
}

class SuccessorOutlivesFamily extends MemoryTokensStore {
  override async rotate(id: string, successor: Parameters<MemoryTokensStore['rotate']>[1]) {
    if (!(await this.revoke(id, 'rotated'))) return false
    await setImmediate()
    await this.create(successor)
    return true
  }
}

class ThresholdMovesBack extends MemoryTokensStore {
  readonly #last = new Map<string, number>()
  override async invalidateBefore(subject: string, at: number) {
    this.#last.set(subject, at)
    return at
  }
  override async invalidBefore(subject: string) {
    return this.#last.get(subject) ?? null
  }
}

class Resurrects extends MemorySessionStore {
  override async update(id: string, patch: Parameters<MemorySessionStore['update']>[1]) {
    if (await super.update(id, patch)) return true
    await this.create({ id, user: null, content: {}, flash: {}, meta: {}, ...patch })
    return true
  }
}

class ZeroPurgesAll extends MemorySessionStore {
  override async purge(bounds: Parameters<MemorySessionStore['purge']>[0]) {
    const { idleTimeoutS, absoluteTimeoutS } = bounds
    return super.purge({ idleTimeoutS: idleTimeoutS || 0.001, absoluteTimeoutS: absoluteTimeoutS || 0.001 })
  }
}

class ShowsContent extends MemorySessionStore {
  override async list(...given: Parameters<MemorySessionStore['list']>) {
    const page = await super.list(...given)
    return { ...page, items: (await Promise.all(page.items.map(({ id }) => this.find(id)))) as never }
  }
}

class CountsBackwards extends MemoryPasskeysStore {
  override async advance(id: string, counter: number, backupState: boolean) {
    const found = await this.find(id)
    await setImmediate()
    await super.advance(id, counter, backupState)
    return found !== null && counter >= found.counter
  }
}

class ReplaysSteps extends MemoryTotpStore {
  override async useStep(userId: string, step: number) {
    const last = (await this.find(userId))?.lastStep ?? Number.POSITIVE_INFINITY
    await setImmediate()
    await super.useStep(userId, step)
    return step > last
  }
}

class StartsTwice extends MemoryIdempotencyStore {
  override async begin(id: string, fingerprint: string, ttlMs: number) {
    const opening = await super.begin(id, fingerprint, ttlMs)
    return opening.state === 'in-flight' ? { state: 'started' as const, owner: 'another' } : opening
  }
}

class PatternSearch extends MemoryUserStore {
  override async list(...[filter, page]: Parameters<MemoryUserStore['list']>) {
    const { q, ...rest } = filter
    const found = await super.list(q === undefined ? filter : rest, page)
    if (q === undefined) return found
    const pattern = new RegExp(
      q
        .replace(/[.*+?^$(){}|[\]\\]/g, '\\$&')
        .replaceAll('%', '.*')
        .replaceAll('_', '.'),
      'i'
    )
    return { ...found, items: found.items.filter(({ identifier }) => pattern.test(identifier)) }
  }
}

class IgnoresSort extends MemoryUserStore {
  override async list(...[filter, page]: Parameters<MemoryUserStore['list']>) {
    const known = page.order?.every(([field]) => field === 'createdAt' || field === 'id') ?? true
    return super.list(filter, known ? page : { ...page, order: [] })
  }
}

/** While it is away, a session is not there. */
class AwayIsAbsent extends MemorySessionStore {
  override async find() {
    return null
  }
}

/** Whatever is asked fails with an error that says nothing. */
class AwayIsUnknown extends MemoryTotpStore {
  override async find(): Promise<never> {
    throw new Error('ECONNREFUSED')
  }
}

const recover = async () => undefined

const faults: [name: string, failed: () => Promise<string[]>, found: RegExp][] = [
  [
    'last reason',
    () => failures(tokensStoreConformance, (parts) => new LastReasonWins(parts)),
    /first date and reason/
  ],
  ['two successors', () => failures(tokensStoreConformance, (parts) => new RotatesTwice(parts)), /one wins/],
  [
    'successor outlives family',
    () => failures(tokensStoreConformance, (parts) => new SuccessorOutlivesFamily(parts)),
    /leaves no active token/
  ],
  [
    'threshold back',
    () => failures(tokensStoreConformance, (parts) => new ThresholdMovesBack(parts)),
    /only moves forward/
  ],
  ['resurrection', () => failures(sessionStoreConformance, (parts) => new Resurrects(parts)), /stays gone/],
  [
    '0 is a bound',
    () => failures(sessionStoreConformance, (parts) => new ZeroPurgesAll(parts)),
    /idle 0 s and absolute 0 s/
  ],
  [
    'content listed',
    () => failures(sessionStoreConformance, (parts) => new ShowsContent(parts)),
    /what a listing hides/
  ],
  [
    'away is absent',
    () =>
      failures(sessionStoreConformance, (parts) => new MemorySessionStore(parts), {
        unreachable: async (parts) => ({ store: new AwayIsAbsent(parts), recover })
      }),
    /never answers "absent"/
  ],
  [
    'away is any failure',
    () =>
      failures(totpStoreConformance, (parts) => new MemoryTotpStore(parts), {
        unreachable: async (parts) => ({ store: new AwayIsUnknown(parts), recover })
      }),
    /one 503/
  ],
  ['counter replay', () => failures(passkeysStoreConformance, (parts) => new CountsBackwards(parts)), /forward alone/],
  ['step replay', () => failures(totpStoreConformance, (parts) => new ReplaysSteps(parts)), /works once/],
  ['two starts', () => failures(idempotencyStoreConformance, (parts) => new StartsTwice(parts)), /one starts/],
  [
    'search by pattern',
    () => failures(userStoreConformance, (parts) => new PatternSearch(parts)),
    /every character literally/
  ],
  ['sort ignored', () => failures(userStoreConformance, (parts) => new IgnoresSort(parts)), /refuses other sort fields/]
]

for (const [name, failed, found] of faults) {
  t.test(`finds the fault: ${name}`, async (t) => {
    t.match((await failed()).join('\n'), found)
  })
}
