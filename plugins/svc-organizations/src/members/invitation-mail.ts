/** The mail of an invitation. */
import type { MailContent } from 'svc-mail'

/** What it is made of. */
export interface InvitationMailData {
  readonly address: string
  /** With the one-time token in its fragment. */
  readonly link: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly role: string
  /** Login name of who invites. */
  readonly invitedBy: string
  /** Epoch ms. */
  readonly expiresAt: number
}

/** Makes the mail, in the words and the language of the application. */
export type InvitationMail = (data: InvitationMailData) => MailContent

export const invitationMail: InvitationMail = ({ link, organization, invitedBy, address, expiresAt }) => ({
  subject: `Join ${organization.name.replaceAll(/\s+/g, ' ')}`,
  text: [
    `${invitedBy} invites ${address} to join ${organization.name}.`,
    `Sign in with an account of this address, then open: ${link}`,
    `The link is valid until ${new Date(expiresAt).toUTCString()}. If you do not know ${organization.name}, ignore this mail.`
  ].join('\n\n')
})
