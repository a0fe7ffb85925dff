/** The question at the end: is everything there that was acknowledged, and nothing that was ended? */
import { API } from '../../support/account-app.ts'
import type { Kind, Ledger } from './ledger.ts'
import type { MixedLoad, Reply } from './mixed-load.ts'

interface Proof {
  readonly kind: Kind
  /** What is wrong with this entry; `null`: it holds. */
  check(load: MixedLoad, id: string, value: string): Promise<string | null>
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const wrong = ({ status, body }: Reply) => `${status} ${JSON.stringify(body)}`

const PROOFS: readonly Proof[] = [
  {
    kind: 'note',
    async check(load, id, title) {
      const reply = await load.send('GET', `/api/notes/${id}`, load.bearer)
      return reply.status === 200 && (title === '' || reply.body.title === title) ? null : wrong(reply)
    }
  },
  {
    kind: 'session',
    async check(load, cookie, person) {
      const reply = await load.send('GET', '/member/who', { cookie })
      return reply.status === 200 && reply.body.who === person ? null : wrong(reply)
    }
  },
  {
    kind: 'ended session',
    async check(load, cookie) {
      const reply = await load.send('GET', '/member/who', { cookie })
      return reply.status === 401 ? null : wrong(reply)
    }
  },
  {
    kind: 'key',
    async check(load, token, person) {
      const reply = await load.send('GET', '/api/who', bearer(token))
      return reply.status === 200 && reply.body.who === person ? null : wrong(reply)
    }
  },
  {
    kind: 'revoked key',
    async check(load, token) {
      const reply = await load.send('GET', '/api/who', bearer(token))
      return reply.status === 401 ? null : wrong(reply)
    }
  },
  {
    kind: 'endpoint',
    async check(load, id) {
      const reply = await load.send('GET', `${API}/webhooks/${id}`, load.proof)
      return reply.status === 200 && reply.body.id === id ? null : wrong(reply)
    }
  }
]

export function acknowledged(ledger: Ledger): number {
  return PROOFS.reduce((sum, { kind }) => sum + ledger.entries(kind).length, 0)
}

/** What was acknowledged and does not hold. */
export async function missing(load: MixedLoad, ledger: Ledger): Promise<string[]> {
  const lost: string[] = []
  for (const { kind, check } of PROOFS) {
    for (const [id, value] of ledger.entries(kind)) {
      const problem = await check(load, id, value)
      if (problem !== null) lost.push(`${kind} ${kind === 'note' || kind === 'endpoint' ? id : ''}: ${problem}`)
    }
  }
  return lost
}
