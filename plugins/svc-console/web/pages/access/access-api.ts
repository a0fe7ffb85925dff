/** The access views of svc-security. */
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export interface Vote {
  readonly voter: string
  readonly vote: string
  readonly reason: string
}

export interface AttributeAnswer {
  readonly attribute: string
  readonly subject?: { readonly param: string; readonly value: string | null }
  readonly granted: boolean
  readonly reason: string | null
  readonly votes: readonly Vote[]
}

export interface Outcome {
  readonly decision: string
  readonly status: number | null
  readonly reason: string | null
}

export interface Proof extends Outcome {
  readonly authenticator: string | null
  readonly token: string | null
  readonly clauses: readonly { readonly granted: boolean; readonly attributes: readonly AttributeAnswer[] }[]
}

export interface Explanation extends Outcome {
  readonly method: string
  readonly path: string
  readonly caller: {
    readonly identifier: string
    readonly roles: readonly string[]
    readonly scopes: readonly string[]
  }
  readonly route: {
    readonly name: string | null
    readonly path: string
    readonly anonymous: boolean
    readonly bypassFirewall: boolean
    readonly params: Readonly<Record<string, string>>
  } | null
  readonly zone: {
    readonly name: string
    readonly pattern: string
    readonly mode: string
    readonly authenticators: readonly string[]
  } | null
  readonly proofs: readonly Proof[]
  readonly note: string | null
}

export interface Question {
  readonly method: string
  readonly path: string
  readonly user?: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
}

export interface MatrixRow {
  readonly method: string
  readonly path: string
  readonly requirement: string | null
  readonly cells: readonly string[]
}

export interface Matrix {
  readonly roles: readonly string[]
  readonly items: readonly MatrixRow[]
  readonly offset: number
  readonly hasNext: boolean
}

export interface Zone {
  readonly name: string
  readonly pattern: string
  readonly authenticators: readonly string[]
  readonly mode: string
  readonly realtime: boolean
}

export interface RouteView {
  readonly method: string
  readonly path: string
  readonly transports: readonly string[]
  readonly zone: string | null
  readonly requirement: string | null
  readonly name: string | null
}

export interface Lint {
  readonly code: string
  readonly message: string
  readonly at: string
  readonly got: string
  readonly expected: string
  readonly fix: string
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

export const readFirewall = () => call<{ zones: Zone[]; routes: RouteView[] }>('GET', `${SECURITY_API}/firewall`)

export const readRoles = () =>
  call<{ hierarchy: Record<string, string[]>; roles: { role: string; inherits: string[] }[] }>(
    'GET',
    `${SECURITY_API}/roles`
  )

export const readLints = async () => (await call<{ items: Lint[] }>('GET', `${SECURITY_API}/lints`)).items
