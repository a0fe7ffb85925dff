/** BullMQ as its documentation shows it: a queue, a worker with as many places as there are slots, undici and a signature. */
import { createHmac } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { newMessages } from './outbox-sender.ts'
import { BATCH, BareHttp, type BareMessage, type Sender, type SenderSettings, SLOTS } from './sender.ts'

const KEY = Buffer.alloc(32, 7)

export async function bullmqSender({ storage, receiver }: SenderSettings): Promise<Sender> {
  const { hostname: host, port } = new URL(storage)
  const connection = { host, port: Number(port), maxRetriesPerRequest: null }
  const http = new BareHttp(receiver, ({ id, body }, timestampS) => {
    return `v1,${createHmac('sha256', KEY).update(`${id}.${timestampS}.${body}`).digest('base64')}`
  })
  const queue = new Queue<BareMessage>('outbox', { connection, defaultJobOptions: { removeOnComplete: true } })
  const worker = new Worker<BareMessage>('outbox', ({ data }) => http.send(data), { connection, concurrency: SLOTS })
  await worker.waitUntilReady()
  return {
    async admit(deliveries) {
      for (let left = deliveries; left > 0; left -= BATCH) {
        const messages = newMessages(Math.min(left, BATCH))
        await queue.addBulk(messages.map((data) => ({ name: 'send', data, opts: { jobId: data.id } })))
      }
    },
    async close() {
      await worker.close()
      await queue.close()
      await http.close()
    }
  }
}
