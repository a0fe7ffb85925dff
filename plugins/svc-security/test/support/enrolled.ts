/** One-time codes as a second factor that is due for whom a test says, without an enrolment. */
import { randomBytes } from 'node:crypto'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { type TotpStore, totpStore } from '../../src/factors/totp/totp-store.ts'

/** The option that switches the factor on. */
export const totp = { encryptionKey: randomBytes(32).toString('base64') }

/** A store for `parts.stores`. */
export function enrolledStore(isEnrolled: (id: string) => boolean | Promise<boolean>): TotpStore {
  const store = inMemory(totpStore, { clock: new ManualClock() })
  return Object.assign(store, {
    find: async (id: string) => {
      if (!(await isEnrolled(id))) return null
      return { id, secretEnc: '', confirmedAt: 1, createdAt: 0, lastStep: null, recoveryHashes: [] }
    }
  })
}
