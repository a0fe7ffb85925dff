/**
 * All locks, in order of declaration; the first that matches holds. A channel
 * that none matches is closed. `svc:` channels need ROLE_SVC_ADMIN whatever
 * the locks say.
 */
import type { Clause } from 'svc-kernel'
import type { ChannelOption } from '../options.ts'
import { type ChannelGuard, ChannelLock } from './channel-lock.ts'
import { RESERVED_PREFIX } from './channel-name.ts'

export type ChannelAction = 'subscribe' | 'publish'

export interface HeldChannel {
  readonly guard: ChannelGuard
  /** The text that the pattern's `*` stands for. */
  readonly rest: string
}

const ADMIN: Clause = Object.freeze([Object.freeze({ attribute: 'ROLE_SVC_ADMIN' })])
const CLOSED: HeldChannel = Object.freeze({ guard: 'closed', rest: '' })

export class ChannelLocks {
  readonly #locks: readonly ChannelLock[]

  constructor(options: readonly ChannelOption[]) {
    this.#locks = options.map((option) => new ChannelLock(option))
  }

  guardOf(name: string, action: ChannelAction): HeldChannel {
    const reserved = name.startsWith(RESERVED_PREFIX)
    for (const lock of this.#locks) {
      const rest = lock.restOf(name)
      if (rest !== null) return { guard: reserved ? forAdmins(lock[action]) : lock[action], rest }
    }
    return reserved && action === 'subscribe' ? { guard: [ADMIN], rest: '' } : CLOSED
  }
}

function forAdmins(guard: ChannelGuard): ChannelGuard {
  if (guard === 'closed') return 'closed'
  return guard === 'open' ? [ADMIN] : [ADMIN, ...guard]
}
