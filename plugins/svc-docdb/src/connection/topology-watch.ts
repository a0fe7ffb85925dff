/** What the driver tells about its servers and its pool, as plain numbers. */
import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'
import type { PoolState } from 'svc-stores/table'

/** Topologies that have a server for writes; of a lone server its own description decides. */
const WRITABLE = new Set(['ReplicaSetWithPrimary', 'Sharded', 'LoadBalanced'])

export class TopologyWatch {
  #writable = false
  #open = 0
  #busy = 0
  #waiting = 0

  /** @param onChange called when servers for writes appear or are gone */
  constructor(client: MongoClient, onChange: (writable: boolean) => void) {
    client.on('topologyDescriptionChanged', (event) => {
      const writable = takesWrites(event)
      if (writable === this.#writable) return
      this.#writable = writable
      onChange(writable)
    })
    client.on('connectionCreated', () => {
      this.#open += 1
    })
    client.on('connectionClosed', () => {
      this.#open -= 1
    })
    client.on('connectionCheckOutStarted', () => {
      this.#waiting += 1
    })
    client.on('connectionCheckedOut', () => {
      this.#waiting -= 1
      this.#busy += 1
    })
    client.on('connectionCheckOutFailed', () => {
      this.#waiting -= 1
    })
    client.on('connectionCheckedIn', () => {
      this.#busy -= 1
    })
  }

  get writable(): boolean {
    return this.#writable
  }

  get pool(): PoolState {
    return { size: this.#open, idle: Math.max(0, this.#open - this.#busy), waiting: this.#waiting }
  }
}

function takesWrites({ newDescription: { type, servers } }: TopologyDescriptionChangedEvent): boolean {
  if (type === 'Single') return [...servers.values()].some((server) => server.type !== 'Unknown')
  return WRITABLE.has(type)
}
