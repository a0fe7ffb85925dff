/**
 * Secrets at rest that take a new key: each start seals those under a former key again under the first one, in the
 * background. The log and the journal say how it ended; `fastify.stores.sealed` counts at any time.
 */
import type { FastifyInstance } from 'fastify'
import { appHost, decoratorOf } from 'svc-kernel'
import type { SecretBox } from 'svc-kernel/plugin'
import type { ResealRows } from './reseal-rows.ts'

/** How many secrets rest under which key. */
export interface SealedCounts {
  /** Under the first key of the list. */
  readonly first: number
  /** Under another key of the list, which has to stay there until none is left. */
  readonly former: number
  /** Under a key that is not in the list. */
  readonly unreadable: number
}

/** The secrets of one store. */
export interface SealedSecrets {
  /** As the log names them: `secrets of webhooks`. */
  readonly name: string
  /** Reads every secret; writes none. */
  count(): Promise<SealedCounts>
}

export interface ResealParts {
  readonly name: string
  readonly box: Pick<SecretBox, 'reseal' | 'hasFormerKeys'>
  /** Absent in a store of the application's own. */
  readonly reseal: ResealRows | undefined
  /** Default: the store seals again what then stays as it is. */
  readonly count?: () => Promise<SealedCounts>
  /** `listen`: for a plugin whose database connects after it is ready. Default `ready`. */
  readonly begins?: 'ready' | 'listen'
}

/** Begins once the application is ready; nothing waits for it but the close. */
export function resealAtStart(
  fastify: FastifyInstance,
  { name, box, reseal, count, begins = 'ready' }: ResealParts
): void {
  const { checkOnly, command = false } = appHost(fastify)
  if (reseal !== undefined) {
    const counted = { name, count: count ?? (() => countSealed(box, reseal)) }
    fastify.addHook('onReady', async () => void decoratorOf(fastify, 'stores')?.sealed.push(counted))
  }
  if (!box.hasFormerKeys || checkOnly || command) return
  const { log } = fastify
  if (reseal === undefined) {
    log.warn(`the store of the ${name} cannot encrypt them with a new key: keep the previous key in the list`)
    return
  }
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    try {
      const counts = await reseal(box, () => isStopped)
      if (isStopped) return
      const isWhole = counts.unreadable === 0
      if (isWhole)
        log.info(counts, `all ${name} are encrypted with the first key: you can remove the others from the list`)
      else log.warn(counts, `some ${name} are encrypted with a key that is not in the list`)
      decoratorOf(fastify, 'audit')?.record({
        category: 'config',
        action: 'secrets.resealed',
        outcome: isWhole ? 'success' : 'failure',
        reason: isWhole ? null : 'some are encrypted with a key that is not in the list',
        resource: name,
        metadata: { ...counts }
      })
    } catch (error) {
      log.warn({ err: error }, `the ${name} could not be encrypted with the first key; the next start tries again`)
    }
  }
  const begin = async (): Promise<void> => {
    running = run()
  }
  if (begins === 'listen') fastify.addHook('onListen', begin)
  else fastify.addHook('onReady', begin)
  fastify.addHook('preClose', async () => {
    isStopped = true
    await running
  })
}

/** Asks the store to seal again what then stays as it is. */
async function countSealed(box: ResealParts['box'], reseal: ResealRows): Promise<SealedCounts> {
  const counts = { first: 0, former: 0, unreadable: 0 }
  const looking = {
    reseal: (blob: string): null => {
      counts[keyOf(box, blob)] += 1
      return null
    }
  }
  await reseal(looking, () => false)
  return counts
}

function keyOf(box: ResealParts['box'], blob: string): keyof SealedCounts {
  try {
    return box.reseal(blob) === null ? 'first' : 'former'
  } catch {
    return 'unreadable'
  }
}
