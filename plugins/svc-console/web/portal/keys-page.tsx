/** The keys of the organisation: made with permissions that the application lets them have, shown once, revoked at once. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../app/answer.ts'
import { toast } from '../app/toasts.tsx'
import { useAction } from '../parts/action.ts'
import { toggled } from '../parts/choices.tsx'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Time } from '../parts/time.tsx'
import { Notice } from './notice.tsx'
import { createKey, type Key, readKeys, revokeKey } from './portal-api.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SectionHead } from './section-head.tsx'
import { say } from './texts.ts'

export function KeysPage({ permissions }: { readonly permissions: readonly string[] }) {
  const { value, error, reload } = useAnswer('keys', readKeys)
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const action = useAction()
  return (
    <>
      <SectionHead title={say('keys')} hint={say('keysHint')}>
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          {say('addKey')}
        </button>
      </SectionHead>
      <Notice error={error ?? action.error} onRetry={reload} />
      {value === null && error === null && <p class="muted">{say('loading')}</p>}
      {value?.length === 0 && (
        <EmptyState title={say('noKeys')}>
          <p class="muted">{say('noKeysHint')}</p>
        </EmptyState>
      )}
      {value !== null && value.length > 0 && (
        <ul class="portal-list">
          {value.map((key) => (
            <li key={key.id} class="card portal-endpoint">
              <div>
                <strong>{key.name ?? key.id}</strong>
                <p class="portal-facts">
                  <span class="portal-names">
                    {key.permissions.map((name) => (
                      <code key={name}>{name}</code>
                    ))}
                  </span>
                  <span class="muted">
                    {say('expires')}: <Time at={key.expiresAt} />
                  </span>
                  <span class="muted">
                    {say('lastUsed')}: <Time at={key.lastUsedAt} />
                  </span>
                </p>
              </div>
              <button
                type="button"
                class="danger"
                aria-label={`${say('revoke')}: ${key.name ?? key.id}`}
                onClick={() => setRevoking(key)}
              >
                {say('revoke')}
              </button>
            </li>
          ))}
        </ul>
      )}
      {making && (
        <Dialog title={say('addKey')} onClose={() => setMaking(false)}>
          <KeyForm
            permissions={permissions}
            onMade={(token) => {
              setMaking(false)
              setMade(token)
              reload()
            }}
          />
        </Dialog>
      )}
      {made !== null && (
        <SecretDialog title={say('key')} hint={say('keyHint')} secret={made} onClose={() => setMade(null)} />
      )}
      {revoking !== null && (
        <Confirm
          title={say('revokeTitle')}
          action={say('revoke')}
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            void action.run(async () => {
              await revokeKey(revoking.id)
              toast(say('revoked'))
              reload()
            })
          }
        >
          <p>{say('revokeHint')}</p>
        </Confirm>
      )}
    </>
  )
}

const DAYS = [30, 90, 365] as const

interface KeyFormProps {
  readonly permissions: readonly string[]
  readonly onMade: (token: string) => void
}

function KeyForm({ permissions, onMade }: KeyFormProps) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(permissions.slice(0, 1))
  const [days, setDays] = useState<number | null>(DAYS[1])
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    const key = { name: name.trim(), permissions: chosen, expiresInDays: days }
    void action.run(async () => onMade((await createKey(key)).token))
  }
  return (
    <form class="stacked" onSubmit={submit}>
      <Notice error={action.error} />
      <label>
        {say('name')}
        <input required maxLength={200} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <fieldset class="portal-choice">
        <legend>{say('permissions')}</legend>
        {permissions.map((permission) => (
          <label key={permission} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(permission)}
              onChange={() => setChosen(toggled(chosen, permission))}
            />
            <code>{permission}</code>
          </label>
        ))}
      </fieldset>
      <label>
        {say('expires')}
        <select
          value={days ?? ''}
          onChange={({ currentTarget: { value } }) => setDays(value === '' ? null : Number(value))}
        >
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {say('inDays', { n: count })}
            </option>
          ))}
          <option value="">{say('expiresNever')}</option>
        </select>
      </label>
      <div class="buttons end">
        <button type="submit" class="primary" disabled={action.busy || chosen.length === 0}>
          {say('addKey')}
        </button>
      </div>
    </form>
  )
}
