/** The key of sealed fields: read from the options, missed by entities that need it, and taken by rows at the start. */
import type { FastifyInstance } from 'fastify'
import { BootError, type Problem } from 'svc-kernel'
import { type ResealRows, resealAtStart } from 'svc-stores/plugin'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { SealedField } from './seal-rows.ts'
import { hasSealed } from './sealed-entities.ts'
import { type SealedUnder, Sealing } from './sealing.ts'

/** What `fastify.orm` does with the values of sealed fields. */
interface SealedValues {
  seal(isStopped: () => boolean): Promise<readonly SealedField[]>
  countSealed(): Promise<Readonly<Record<SealedUnder, number>>>
}

const OPTION = {
  expected: '32 random bytes, base64',
  fix: 'set the output of `openssl rand -base64 32` in the environment, and read it in env.ts',
  more: 'npx svc docs sealed-fields'
} as const

/** @throws BootError SVC_ORM_SEALING_KEY for a key that is not 32 bytes of base64 */
export function openSealing(configured: string | readonly string[] | undefined): Sealing | null {
  if (configured === undefined) return null
  try {
    return new Sealing(configured)
  } catch (error) {
    const got = error instanceof Error ? error.message : 'unreadable'
    const message = 'encryptionKey is not valid'
    throw new BootError([{ code: 'SVC_ORM_SEALING_KEY', message, at: 'svc-orm.encryptionKey', got, ...OPTION }])
  }
}

/** Of entities with sealed fields, where no key is configured. */
export function keyProblems(entities: readonly CompiledEntity[]): Problem[] {
  return entities.filter(hasSealed).map(({ name, place }) => ({
    code: 'SVC_ORM_SEALING_KEY_MISSING',
    message: `${name} has sealed fields, but svc-orm has no encryptionKey`,
    at: place ?? 'svc-orm.encryptionKey',
    ...OPTION
  }))
}

/** Counted by `npx svc secrets`; with former keys, each start encrypts their values with the first one. */
export function sealAtStart(fastify: FastifyInstance, sealing: Sealing, values: SealedValues): void {
  const count = async () => {
    const { first, former, plain, unreadable } = await values.countSealed()
    return { first, former: former + plain, unreadable }
  }
  const reseal: ResealRows = async (_box, isStopped) => {
    const done = await values.seal(isStopped)
    const sum = (of: 'sealed' | 'unreadable') => done.reduce((total, each) => total + each[of], 0)
    return { resealed: sum('sealed'), unreadable: sum('unreadable') }
  }
  resealAtStart(fastify, { name: 'sealed fields', box: sealing, reseal, count, begins: 'listen' })
}
