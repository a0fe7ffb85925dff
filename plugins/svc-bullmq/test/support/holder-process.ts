/** An instance that takes all deliveries, says so, and is then killed. Its argument is the socket of Redis. */
import { Redis } from 'ioredis'
import { bullmqQueue } from '../../src/index.ts'

const [path = ''] = process.argv.slice(2)
const queue = bullmqQueue({ connection: new Redis({ path }) })
await queue.heartbeat('killed')
const held = await queue.claim('killed', 100, () => 100)
process.stdout.write(`held ${held.length}\n`)
