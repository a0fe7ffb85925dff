/** What an organisation has, for administrators of the application: members, invitations, keys without their secrets, and domains. */
import type { FastifyInstance } from 'fastify'
import { InvitationNotFound, KeyNotFound, LastOwner, MemberNotFound, OrganizationNotFound } from '../errors.ts'
import { APPLICATION } from '../members/members.ts'
import { type AdminParts, type ById, changing, one, pageOf, params, reading } from './admin-route.ts'
import * as answers from './answers.ts'

const page = pageOf(100, 1000)

interface Page {
  readonly Querystring: { readonly limit: number; readonly offset: number }
}

/** @throws OrganizationNotFound (404) where there is none: a list of nothing would say that it is empty */
type Check = (id: string) => Promise<void>

export function adminPartRoutes(scope: FastifyInstance, { sections, store, gates }: AdminParts): void {
  const { members, invitations, keys, domains } = sections
  const errors = [OrganizationNotFound]
  const check: Check = async (id) => {
    if ((await store.find(id)) === null) throw new OrganizationNotFound()
  }
  scope.get<ById & Page>(
    `${one}/members`,
    reading('one.members', 'Members of an organisation, in order of their joining', {
      params: params(),
      querystring: page,
      response: { 200: answers.members },
      errors
    }),
    async ({ params: { id }, query: { limit, offset } }) => {
      await check(id)
      const found = await members.list(id, limit + 1, offset)
      return { members: found.slice(0, limit), hasNext: found.length > limit }
    }
  )
  scope.delete<{ Params: { readonly id: string; readonly member: string } }>(
    `${one}/members/:member`,
    changing('one.members.remove', 'Removes a member, and ends everything that let the user in', gates, {
      params: params('member'),
      response: { 200: answers.done },
      errors: [MemberNotFound, LastOwner]
    }),
    async ({ params: { id, member } }) => {
      await members.remove(id, member, APPLICATION)
      return { ok: true }
    }
  )
  if (invitations !== null) {
    scope.get<ById>(
      `${one}/invitations`,
      reading('one.invitations', 'Invitations that were not accepted yet, the newest first', {
        params: params(),
        response: { 200: answers.invitations },
        errors
      }),
      async ({ params: { id } }) => {
        await check(id)
        return { invitations: await invitations.list(id) }
      }
    )
    scope.delete<{ Params: { readonly id: string; readonly invitation: string } }>(
      `${one}/invitations/:invitation`,
      changing('one.invitations.revoke', 'Revokes an invitation', gates, {
        params: params('invitation'),
        response: { 200: answers.done },
        errors: [InvitationNotFound]
      }),
      async ({ params: { id, invitation } }) => {
        await invitations.revoke(id, invitation)
        return { ok: true }
      }
    )
  }
  if (keys !== null) {
    scope.get<ById>(
      `${one}/keys`,
      reading('one.keys', 'Keys of an organisation that are alive, the newest first', {
        params: params(),
        response: { 200: answers.keys },
        errors
      }),
      async ({ params: { id } }) => {
        await check(id)
        return { keys: await keys.list(id) }
      }
    )
    scope.delete<{ Params: { readonly id: string; readonly key: string } }>(
      `${one}/keys/:key`,
      changing('one.keys.revoke', 'Revokes a key of an organisation at once', gates, {
        params: params('key'),
        response: { 200: answers.done },
        errors: [KeyNotFound]
      }),
      async ({ params: { id, key } }) => {
        await keys.revoke(id, key)
        return { ok: true }
      }
    )
  }
  if (domains !== null) {
    scope.get<ById>(
      `${one}/domains`,
      reading('one.domains', 'Domains of an organisation, and the TXT records that prove them', {
        params: params(),
        response: { 200: answers.domains },
        errors
      }),
      async ({ params: { id } }) => {
        await check(id)
        return { domains: await domains.list(id) }
      }
    )
  }
}
