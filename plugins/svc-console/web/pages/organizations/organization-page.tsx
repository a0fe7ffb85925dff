/** One organisation: what it is, who belongs to it, what lets them in, and what becomes of it. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { serves } from '../../app/settings.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Domains } from './domains.tsx'
import { Invitations } from './invitations.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { readOrganization } from './organizations-api.ts'
import { Overview } from './overview.tsx'

export function OrganizationPage({ id, part }: { readonly id: string; readonly part: string }) {
  const { value, error, reload } = useAnswer(id, () => readOrganization(id))
  useRenewal(reload)
  const above = { title: 'Organisations', href: href(['organizations']) }
  if (value === null) {
    return (
      <>
        <PageHead title="Organisation" above={above} />
        {error === null ? <p class="muted loading">Loading …</p> : <ErrorNotice error={error} onRetry={reload} />}
      </>
    )
  }
  const { sections } = value
  const parts: readonly [name: string, title: string, isOn: boolean][] = [
    ['overview', 'Overview', true],
    ['members', 'Members', true],
    ['invitations', 'Invitations', sections.invitations],
    ['keys', 'Keys', sections.keys],
    ['domains', 'Domains', sections.domains]
  ]
  const served = parts.filter(([, , isOn]) => isOn)
  const shown = served.some(([name]) => name === part) ? part : 'overview'
  const tabs = served.map(([name, title]) => ({
    title,
    segments: name === 'overview' ? ['organizations', id] : ['organizations', id, name],
    current: name === shown
  }))
  const props = { organization: value, onChange: reload }
  return (
    <>
      <PageHead title={value.name} above={above}>
        {serves('audit') && (
          <a class="button" href={href(['audit'], { q: id })}>
            What happened
          </a>
        )}
      </PageHead>
      <Tabs label="Parts of the organisation" tabs={tabs} />
      <ErrorNotice error={error} onRetry={reload} />
      {shown === 'overview' && <Overview {...props} />}
      {shown === 'members' && <Members {...props} />}
      {shown === 'invitations' && <Invitations id={id} />}
      {shown === 'keys' && <Keys id={id} />}
      {shown === 'domains' && <Domains id={id} />}
    </>
  )
}
