/**
 * A process that registers one neighbour as it does not go, and ends with what the boot says: some plugins throw where
 * no caller can catch. Arguments: its name, the order, the address of its service.
 */
import { NEIGHBOURS } from './every-neighbour.ts'
import type { Order } from './neighbour.ts'
import { sharedServer } from './shared-server.ts'

const [, , given = '', order = 'before', address = ''] = process.argv
const neighbour = NEIGHBOURS.find(({ name }) => name === given)
if (neighbour?.clash === undefined) throw new Error(`nothing is refused of ${given}`)
const { name, ours, clash } = neighbour
const t = { teardown: () => undefined, testdir: () => '' }
const { register, security } = clash
const registers = {
  name,
  register,
  ...(ours === undefined ? {} : { ours }),
  ...(security === undefined ? {} : { security })
}
const fastify = await sharedServer(registers, { t, order: order as Order, address })
await fastify.close()
