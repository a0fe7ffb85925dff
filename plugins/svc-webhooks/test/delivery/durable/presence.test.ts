/** An instance as a holder: what it was given under a name that it has given up is with others. */
import t from 'tap'
import { Presence } from '../../../src/delivery/durable/presence.ts'

function aPresence() {
  let lost = 0
  const presence = new Presence({
    extend: async () => true,
    leave: async () => undefined,
    onLost: () => {
      lost += 1
    },
    onFailed: () => undefined
  })
  return { presence, lost: () => lost }
}

t.test('it holds what it was given under its name', async (t) => {
  const { presence } = aPresence()
  await presence.keep(1000)
  const names: string[] = []
  const held = await presence.holding(async (holder) => {
    names.push(holder)
    return ['msg_1']
  })
  t.strictSame([held, names], [['msg_1'], [presence.holder]])
})

t.test('it holds nothing of what comes back after it took another name', async (t) => {
  const { presence, lost } = aPresence()
  await presence.keep(1000)
  const held = await presence.holding(async () => {
    presence.doubt(Promise.resolve())
    return ['msg_1']
  })
  t.strictSame([held, lost(), presence.alive], [[], 1, false])
})
