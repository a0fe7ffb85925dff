/**
 * Ids of requests, by which log, journal and console tell what belongs together: unique over processes and instances,
 * where Fastify's own begin with `req-1` in each. A random part per server and a count cost a request no more than those.
 * A header that `server.requestIdHeader` names, and a `server.genReqId`, come first, as in Fastify.
 */
import { randomBytes } from 'node:crypto'

/** Of 64 random bits 62 are kept: too many for two servers to share one by chance. */
const RANDOM_BYTES = 8
const LENGTH = 12

/** Beyond it counting would cost more; the count then begins again under another random part. */
const LAST = 2 ** 31 - 1

/** @param last for tests: the count after which the random part is replaced */
export function requestIds(last = LAST): () => string {
  let prefix = randomPart()
  let count = 0
  return () => {
    if (count === last) {
      prefix = randomPart()
      count = 0
    }
    count += 1
    return prefix + count.toString(36)
  }
}

function randomPart(): string {
  const text = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`).toString(36)
  return `req-${text.padStart(LENGTH, '0').slice(-LENGTH)}-`
}
