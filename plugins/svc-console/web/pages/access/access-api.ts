/** The access views of svc-security. */
import type { Explanation, Firewall, Lints, Matrix, Roles } from 'svc-security/wire'
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { Explanation }
export type Proof = Explanation['proofs'][number]
export type AttributeAnswer = Proof['clauses'][number]['attributes'][number]
export type Outcome = Pick<Explanation, 'decision' | 'status' | 'reason'>
export type MatrixRow = Matrix['items'][number]
export type Zone = Firewall['zones'][number]
export type RouteView = Firewall['routes'][number]

export interface Question {
  readonly method: string
  readonly path: string
  readonly user?: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
}

export const explain = (question: Question) => call<Explanation>('POST', `${SECURITY_API}/explain`, question)

const PAGE = 50

export async function readMatrix(
  path: string,
  cursor: string | null
): Promise<ListPage<MatrixRow> & Pick<Matrix, 'roles'>> {
  const query = { path, limit: PAGE, offset: cursor }
  const { items, roles, offset, hasNext } = await call<Matrix>('GET', withQuery(`${SECURITY_API}/matrix`, query))
  return { rows: items, roles, next: hasNext ? String(offset + PAGE) : null }
}

export const readFirewall = () => call<Firewall>('GET', `${SECURITY_API}/firewall`)

export const readRoles = () => call<Roles>('GET', `${SECURITY_API}/roles`)

export const readLints = async () => (await call<Lints>('GET', `${SECURITY_API}/lints`)).items
