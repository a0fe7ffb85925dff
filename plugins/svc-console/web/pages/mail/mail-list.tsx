/** The mails that stayed in the outbox, newest first. */
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBox } from '../../parts/filter-box.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { type ListedMail, readMails } from './mail-api.ts'

const HEAD = ['Subject', 'Sent', 'To', 'From']
const FILTERS = [
  ['to', 'Recipient'],
  ['subject', 'Part of the subject']
] as const

export function MailList() {
  const { query } = place.value
  const filter = Object.fromEntries(
    FILTERS.map(([name]) => [name, query.get(name) ?? '']).filter(([, value]) => value !== '')
  ) as Readonly<Record<string, string>>
  const list = useList(JSON.stringify(filter), () => readMails(filter))
  useRenewal(list.renew)
  const count = Object.keys(filter).length
  return (
    <>
      <PageHead title="Mail" note="the last 200 of this instance, in place of sending them">
        <button type="button" onClick={list.renew}>
          Look again
        </button>
      </PageHead>
      <FilterBox count={count}>
        {FILTERS.map(([name, label]) => (
          <label key={name}>
            {label}
            <KeptInput maxLength={254} value={filter[name]} onCommit={(text) => setQuery({ [name]: text })} />
          </label>
        ))}
      </FilterBox>
      <ListRows
        list={list}
        one="mail"
        label="Mails"
        head={HEAD}
        columns="mail-columns"
        keyOf={({ number }) => String(number)}
        cells={cells}
        empty={<Nothing filtered={count > 0} />}
      />
    </>
  )
}

function cells({ number, subject, sentAt, to, from }: ListedMail) {
  return [
    <a key="subject" href={href(['mail', String(number)])}>
      {subject}
    </a>,
    <Time key="sent" at={sentAt} />,
    addresses(to),
    from.address
  ]
}

const addresses = (boxes: ListedMail['to']) => boxes.map(({ address }) => address).join(', ')

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No mail matches.">
        <a href={href(['mail'])}>Show all</a>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No mail was sent yet.">
      <p>Mails of this application stay here, in memory, until it ends.</p>
    </EmptyState>
  )
}
