/** One user: the roles, the lock, and every way in with a way to close it. */
import { useState } from 'preact/hooks'
import { type Answer, useAnswer } from '../../app/answer.ts'
import { currentOf } from '../../app/api.ts'
import { href } from '../../app/location.ts'
import { serves, settings } from '../../app/settings.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Conflict } from '../../parts/conflict.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { ActAs } from './act-as.tsx'
import { readFactors, readKeys, readSessions, readUser, setLocked, setRoles, type User } from './people-api.ts'
import { RolesField, rolesOf } from './roles-field.tsx'
import { UserChanges } from './user-changes.tsx'
import { UserBadge } from './user-list.tsx'
import { UserFactors, UserKeys, UserSessions } from './ways-in.tsx'

/** Together, so that nothing moves when an answer comes later than another. */
async function readAll(id: string) {
  const user = await readUser(id)
  const [sessions, factors, keys] = await Promise.all([
    serves('sessions') ? readSessions(user.identifier) : [],
    readFactors(id),
    serves('keys') ? readKeys(user.identifier) : null
  ])
  return { user, sessions, factors, keys }
}

export type WholeUser = Awaited<ReturnType<typeof readAll>>

export function UserPage({ id }: { readonly id: string }) {
  const answer = useAnswer(id, () => readAll(id))
  const { value, error, reload } = answer
  const above = { title: 'People', href: href(['people']) }
  if (value === null) {
    return (
      <>
        <PageHead title="User" above={above} />
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  const { user, sessions, factors, keys } = value
  return (
    <>
      <UserHead answer={answer} whole={value} />
      <ErrorNotice error={error} onRetry={reload} />
      <dl class="fields">
        <Field name="State">
          <UserBadge user={user} />
        </Field>
        <Field name="Since">
          <Time at={user.createdAt} whole />
        </Field>
        {user.socialAccounts.map(({ provider, linkedAt }) => (
          <Field name={provider} key={provider}>
            linked <Time at={linkedAt} />
          </Field>
        ))}
        <TextField name="Id" text={user.id} />
      </dl>
      <Roles user={user} onChange={(changed) => answer.set({ ...value, user: changed })} />
      <UserChanges key={user.identifier} user={user} onChange={(changed) => answer.set({ ...value, user: changed })} />
      <UserSessions id={id} sessions={sessions} onChange={reload} />
      <UserFactors id={id} factors={factors} onChange={reload} />
      {keys !== null && <UserKeys keys={keys} onChange={reload} />}
    </>
  )
}

function UserHead({ answer, whole }: { readonly answer: Answer<WholeUser>; readonly whole: WholeUser }) {
  const { user } = whole
  const action = useAction()
  const [isActing, setActing] = useState(false)
  const switchTo = async (locked: boolean) => {
    answer.set({ ...whole, user: await setLocked(user.id, locked) })
    toast(locked ? 'Locked: no way in is left.' : 'Unlocked.', () => void action.run(() => switchTo(!locked)))
  }
  return (
    <>
      <PageHead title={user.identifier} above={{ title: 'People', href: href(['people']) }}>
        <a class="button" href={href(['people', user.id, 'access'])}>
          What they may do
        </a>
        {serves('impersonation') && user.identifier !== settings.user?.identifier && (
          <button type="button" disabled={user.locked || !user.enabled} onClick={() => setActing(true)}>
            Act as
          </button>
        )}
        {serves('audit') && (
          <a class="button" href={href(['audit'], { actor: user.identifier })}>
            What they did
          </a>
        )}
        <button
          type="button"
          class={user.locked ? '' : 'danger'}
          disabled={action.busy}
          onClick={() => void action.run(() => switchTo(!user.locked))}
        >
          {user.locked ? 'Unlock' : 'Lock'}
        </button>
      </PageHead>
      <ErrorNotice error={action.error} />
      {isActing && <ActAs user={user.identifier} onClose={() => setActing(false)} />}
    </>
  )
}

function Roles({ user, onChange }: { readonly user: User; readonly onChange: (user: User) => void }) {
  const [text, setText] = useState(user.roles.join(' '))
  const action = useAction()
  const change = async (wanted: readonly string[], seen: number | null) => {
    const changed = await setRoles(user.id, wanted, seen)
    onChange(changed)
    setText(changed.roles.join(' '))
    for (const warning of changed.warnings) toast(warning)
    return changed
  }
  const save = (seen: number | null) =>
    void action.run(async () => {
      const before = user.roles
      const changed = await change(rolesOf(text), seen)
      toast(
        'The roles are changed: they hold from the next request on.',
        () =>
          void action.run(async () => {
            await change(before, changed.updatedAt)
            toast('The roles are as before.')
          })
      )
    })
  const current = currentOf<User>(action.error)
  const submit = (event: Event) => {
    event.preventDefault()
    save(user.updatedAt)
  }
  return (
    <section class="card">
      <h2>Roles</h2>
      <form class="stacked narrow" onSubmit={submit}>
        {current === null ? (
          <ErrorNotice error={action.error} />
        ) : (
          <Conflict
            what="The user"
            fields={[{ name: 'roles', mine: rolesOf(text).join(' '), now: current.roles.join(' ') }]}
            busy={action.busy}
            onMine={() => save(current.updatedAt)}
            onTheirs={() => {
              onChange(current)
              setText(current.roles.join(' '))
              void action.run(async () => undefined)
            }}
          />
        )}
        <RolesField label="Roles of the user" text={text} before={user.roles} onText={setText} />
        <div class="buttons">
          <button type="submit" disabled={action.busy || sameRoles(rolesOf(text), user.roles)}>
            Save the roles
          </button>
        </div>
      </form>
    </section>
  )
}

function sameRoles(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((role) => other.includes(role))
}
