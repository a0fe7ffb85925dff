/** Why a caller gets in, or does not: asked about a route and an identity, both of which are in the address. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { place, setQuery } from '../../app/location.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { explain, type Question } from './access-api.ts'
import { ExplanationView } from './explanation-view.tsx'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'WEBSOCKET']

const WHO: readonly [value: string, title: string][] = [
  ['nobody', 'Nobody'],
  ['user', 'A user'],
  ['roles', 'Anybody with roles']
]

/** What the address asks; `null` while it asks nothing. */
export function questionOf(query: URLSearchParams): Question | null {
  const path = query.get('path')
  if (path === null || path === '') return null
  const [user, roles, scopes] = ['user', 'roles', 'scopes'].map((name) => query.get(name))
  return {
    method: query.get('method') ?? 'GET',
    path,
    ...(user == null ? {} : { user }),
    ...(roles == null ? {} : { roles: words(roles) }),
    ...(scopes == null ? {} : { scopes: words(scopes) })
  }
}

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')

export function Explain() {
  const { query } = place.value
  const question = questionOf(query)
  const key = question === null ? null : JSON.stringify(question)
  const { value, error, reload } = useAnswer(key, () => explain(question as Question))
  return (
    <>
      <QuestionForm key={key} question={question} />
      <ErrorNotice error={error} onRetry={reload} />
      {question === null && (
        <p class="muted">Ask about a path of the application, such as one of a message in its log.</p>
      )}
      {value !== null && question !== null && <ExplanationView explanation={value} />}
    </>
  )
}

function QuestionForm({ question }: { readonly question: Question | null }) {
  const [method, setMethod] = useState(question?.method ?? 'GET')
  const [path, setPath] = useState(question?.path ?? '')
  const [who, setWho] = useState(
    question?.user !== undefined ? 'user' : question?.roles !== undefined ? 'roles' : 'nobody'
  )
  const [user, setUser] = useState(question?.user ?? '')
  const [roles, setRoles] = useState(question?.roles?.join(' ') ?? '')
  const submit = (event: Event) => {
    event.preventDefault()
    setQuery({
      method,
      path: path.trim(),
      user: who === 'user' ? user.trim() : null,
      roles: who === 'roles' ? roles.trim() : null,
      scopes: null
    })
  }
  return (
    <form class="filters" onSubmit={submit}>
      <label>
        Method
        <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
          {METHODS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="grows">
        Path
        <input
          data-search
          value={path}
          required
          pattern="/.*"
          placeholder="/api/orders/42"
          maxLength={2048}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
      </label>
      <label>
        Who
        <select value={who} onChange={(event) => setWho(event.currentTarget.value)}>
          {WHO.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {who === 'user' && (
        <label>
          Name
          <input value={user} required maxLength={1024} onInput={(event) => setUser(event.currentTarget.value)} />
        </label>
      )}
      {who === 'roles' && (
        <label>
          Roles
          <input
            value={roles}
            required
            placeholder="ROLE_EDITOR"
            onInput={(event) => setRoles(event.currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" class="primary">
        Explain
      </button>
    </form>
  )
}
