/** `fastify.accounts`: the flows as services, for routes and work of the application. One that is off throws FlowOff. */
import type { AccountView } from 'svc-security'
import type { JsonObject } from 'svc-stores'
import { FlowOff } from './errors.ts'
import type { AddressChange } from './flows/address-change.ts'
import type { DataExport } from './flows/data-export.ts'
import type { DataPart, DataParts } from './flows/data-parts.ts'
import type { Deletion } from './flows/deletion.ts'
import type { Invitations, InvitationView, NewInvitation } from './flows/invitation.ts'
import type { PasswordReset } from './flows/password-reset.ts'
import type { NewSignUp, Redemption, SignUp } from './flows/sign-up.ts'
import type { Flow } from './options.ts'
import type { AccountStore } from './records/account-store.ts'

/** The flows that are on, by their section of the options. */
export interface Flows {
  readonly signUp?: SignUp
  readonly reset?: PasswordReset
  readonly changeAddress?: AddressChange
  readonly invitations?: Invitations
  readonly deletion?: Deletion
  readonly export?: DataExport
}

/** What is known of an account beside its user. */
export interface AccountState {
  /** Whether the login name is an address that its user has proven. */
  readonly verified: boolean
  /** Epoch ms: when it is to be removed; `null`: it stays. */
  readonly deleteAt: number | null
}

/** Whose account: as `fastify.userAccounts.find` returns it. */
type Owner = Pick<AccountView, 'id' | 'identifier'>

/** `fastify.accounts`. */
export class Accounts {
  readonly #flows: Flows
  readonly #data: DataParts
  readonly #records: Pick<AccountStore, 'find'> | null

  /** @param records `null` where no flow is on */
  constructor(flows: Flows, data: DataParts, records: Pick<AccountStore, 'find'> | null) {
    this.#flows = flows
    this.#data = data
    this.#records = records
  }

  /**
   * Adds a part to the data of accounts: to their export, and to their erasure when one is deleted. Called while plugins
   * register.
   *
   * @param name its key in the archive @throws PartTaken
   */
  describe(name: string, part: DataPart): void {
    this.#data.add(name, part)
  }

  async state({ id, identifier }: Owner): Promise<AccountState> {
    const record = (await this.#records?.find(id)) ?? null
    return { verified: record?.address === identifier, deleteAt: record?.deleteAt ?? null }
  }

  /**
   * Begins a sign-up: a job mails the link, or tells the owner of the account that has this address.
   *
   * @throws InvalidAddress, InvalidPassword (400), PasswordsBusy, JobsUnavailable (503), FlowOff; so do the others
   */
  async signUp(signUp: NewSignUp): Promise<void> {
    await this.#on('signUp').begin(signUp)
  }

  /** Mails the link of an open sign-up again. */
  async resend(address: string): Promise<void> {
    await this.#on('signUp').resend(address)
  }

  /** Completes a sign-up. @returns the login name @throws InvalidToken, WrongSignUpPassword (400), AddressTaken (409) */
  async verify(redemption: Redemption): Promise<string> {
    return this.#on('signUp').verify(redemption)
  }

  /** A job mails the link, if an account has this address. */
  async requestReset(address: string): Promise<void> {
    await this.#on('reset').begin(address)
  }

  /** Sets a new password, and ends everything that let the user in. @throws InvalidToken, InvalidPassword (400) */
  async reset(redemption: Redemption): Promise<void> {
    await this.#on('reset').complete(redemption)
  }

  /** A job mails the link to the new address. The caller has checked that its user was proven a short while ago. */
  async requestAddress(identifier: string, address: string): Promise<void> {
    await this.#on('changeAddress').begin(identifier, address)
  }

  /** @returns the new login name @throws InvalidToken (400), AddressTaken (409) */
  async confirmAddress(token: string): Promise<string> {
    return this.#on('changeAddress').confirm(token)
  }

  /** @throws InvalidToken (400), AddressTaken (409) */
  async undoAddress(token: string): Promise<void> {
    await this.#on('changeAddress').undo(token)
  }

  /** The caller has checked that whoever invites may give these roles. @throws InvalidAddress (400), AddressTaken (409) */
  async invite(invitation: NewInvitation): Promise<void> {
    await this.#on('invitations').invite(invitation)
  }

  /** The newest 1000 that are open. */
  async invitations(): Promise<readonly InvitationView[]> {
    return this.#on('invitations').list()
  }

  /** @throws InvitationNotFound (404) */
  async revokeInvitation(ref: string): Promise<void> {
    await this.#on('invitations').revoke(ref)
  }

  /** @returns the login name @throws InvalidToken, InvalidPassword (400), AddressTaken (409) */
  async acceptInvitation(redemption: Redemption): Promise<string> {
    return this.#on('invitations').accept(redemption)
  }

  /** Ends everything that lets the user in, and mails the link that cancels. @returns when the account goes, epoch ms @throws LastAdministrator (409) */
  async requestDeletion(owner: Owner): Promise<number> {
    return this.#on('deletion').begin(owner)
  }

  /** @param by the token of the link, or whose account it is @throws InvalidToken (400) */
  async cancelDeletion(by: string | Owner): Promise<void> {
    const deletion = this.#on('deletion')
    await (typeof by === 'string' ? deletion.cancelBy(by) : deletion.cancel(by))
  }

  /** A job gathers the data, and mails the link. */
  async requestExport(identifier: string): Promise<void> {
    await this.#on('export').begin(identifier)
  }

  /** The archive, once. @throws InvalidToken (400) */
  async takeExport(owner: Owner, token: string): Promise<JsonObject> {
    return this.#on('export').take(owner, token)
  }

  #on<Name extends Flow>(name: Name): NonNullable<Flows[Name]> {
    const flow = this.#flows[name]
    if (flow === undefined) throw new FlowOff(name)
    return flow as NonNullable<Flows[Name]>
  }
}
