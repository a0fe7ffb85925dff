/** One mail: its heads, its HTML in a frame that runs and loads nothing, its text. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { htmlOf, type Mail, readMail } from './mail-api.ts'

export function MailView({ number }: { readonly number: string }) {
  const { value: mail, error, reload } = useAnswer(number, () => readMail(number))
  const above = { title: 'Mail', href: href(['mail']) }
  if (mail === null) {
    return (
      <>
        <PageHead title="Mail" above={above} />
        {error === null && <p class="muted loading">Loading …</p>}
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  return (
    <>
      <PageHead title={mail.subject} above={above} />
      <Heads mail={mail} />
      {mail.html !== null && (
        <>
          <h2>HTML</h2>
          <iframe class="mail-html" title="HTML of the mail" sandbox="" src={htmlOf(mail.number)} />
          <CopyButton text={mail.html} label="Copy the HTML" />
        </>
      )}
      <h2>Text</h2>
      <pre>{mail.text}</pre>
      <CopyButton text={mail.text} label="Copy the text" />
      {mail.attachments.length > 0 && (
        <>
          <h2>Attachments</h2>
          <ul>
            {mail.attachments.map(({ filename, contentType, bytes }, index) => (
              <li key={index}>
                {filename}{' '}
                <span class="muted">
                  {contentType ?? 'type by its name'}, {bytes.toLocaleString()} bytes
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Heads({ mail: { sentAt, from, to, cc, bcc, replyTo, headers, messageId } }: { readonly mail: Mail }) {
  const boxes = { To: to, Cc: cc, Bcc: bcc, 'Reply to': replyTo }
  return (
    <dl class="fields">
      <Field name="Sent">
        <Time at={sentAt} whole />
      </Field>
      <TextField name="From" text={written(from)} />
      {Object.entries(boxes)
        .filter(([, { length }]) => length > 0)
        .map(([name, list]) => (
          <TextField key={name} name={name} text={list.map(written).join(', ')} />
        ))}
      {Object.entries(headers).map(([name, value]) => (
        <TextField key={name} name={name} text={value} />
      ))}
      <TextField name="Message-ID" text={messageId} />
    </dl>
  )
}

function written({ name, address }: Mail['from']): string {
  return name === '' ? address : `${name} <${address}>`
}
