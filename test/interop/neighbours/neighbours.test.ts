/**
 * Plugins of the ecosystem beside ours, on one server: each does what its documentation says, and so do ours.
 * In the long run: each of them in three orders.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { NEIGHBOURS } from './every-neighbour.ts'
import { ORDERS } from './neighbour.ts'
import { bothHold } from './shared-server.ts'

for (const neighbour of NEIGHBOURS) {
  const { name, clash } = neighbour
  t.test(name, async (t) => {
    const address = neighbour.service === undefined ? '' : await neighbour.service(t)
    if (address === null) {
      const reason = `SKIPPED: the server of ${name} is not installed; nothing of it was run`
      process.stderr.write(`\n  ${reason}\n\n`)
      t.plan(0, reason)
      return
    }
    for (const order of ORDERS) await t.test(`registered ${order}`, (t) => bothHold(t, neighbour, order, address))
    const endings = (clash?.orders ?? []).map(async (order) => ({
      order,
      ...(await refusedBoot(name, order, address))
    }))
    for (const { order, code, stderr } of await Promise.all(endings)) {
      t.equal(code, 1, `${order}: ends with an error`)
      for (const said of clash?.says ?? []) t.match(stderr, said)
    }
  })
}

async function refusedBoot(...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'refused-boot.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const ended = once(child, 'close')
  const stderr = await text(child.stderr)
  const [code] = await ended
  return { code, stderr }
}
