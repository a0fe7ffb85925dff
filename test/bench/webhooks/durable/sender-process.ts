/** One side of the measurement, as a child process: takes deliveries when it is told to, and says what they cost it. */
import { outboxSender } from './outbox-sender.ts'
import type { Sender, SenderSettings } from './sender.ts'
import { svcSender } from './svc-sender.ts'

export type SenderOrder = { readonly admit: number } | 'cpu'

const [given = '{}', first] = process.argv.slice(2)
const settings = JSON.parse(given) as SenderSettings
const isFirst = first === 'first'

async function open(): Promise<Sender> {
  if (settings.side === 'svc') return svcSender(settings, isFirst)
  if (settings.side === 'outbox') return outboxSender(settings, isFirst)
  const { bullmqSender } = await import('./bullmq-sender.ts')
  return bullmqSender(settings)
}

const sender = await open()
process.on('message', async (order: SenderOrder) => {
  if (order !== 'cpu') await sender.admit(order.admit)
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => void sender.close().finally(() => process.exit(0)))
process.send?.('ready')
