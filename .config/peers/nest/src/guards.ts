/** Guards as the documentation of NestJS has them: who is calling by key, by token, and whether the role suffices. */
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  UnauthorizedException
} from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { JwtService } from '@nestjs/jwt'
import {
  bearerOf,
  type Claims,
  type User,
  userOfApiKey,
  userOfClaims
} from '../../../../test/dist/bench/peers/accounts.js'
import { DENIED, DENIED_HEADERS, recordDenial } from '../../../../test/dist/bench/peers/denials.js'

/** What the guards read and set of a request of the Fastify adapter. */
interface Request {
  readonly headers: { readonly authorization?: string }
  readonly method: string
  readonly url: string
  readonly ip: string
  user?: User
}

interface Response {
  headers(values: Readonly<Record<string, string>>): unknown
}

/** The role that a route asks for. */
export const Role = Reflector.createDecorator<string>()

@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>()
    const key = bearerOf(request.headers.authorization)
    const user = key === null ? null : userOfApiKey(key)
    if (user === null) throw new UnauthorizedException()
    request.user = user
    return true
  }
}

@Injectable()
export class TokenGuard implements CanActivate {
  readonly #jwt: JwtService

  constructor(@Inject(JwtService) jwt: JwtService) {
    this.#jwt = jwt
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>()
    const user = await this.#userOf(bearerOf(request.headers.authorization))
    if (user === null) throw new UnauthorizedException()
    request.user = user
    return true
  }

  async #userOf(token: string | null): Promise<User | null> {
    if (token === null) return null
    try {
      return userOfClaims(await this.#jwt.verifyAsync<Claims>(token))
    } catch {
      return null
    }
  }
}

@Injectable()
export class RolesGuard implements CanActivate {
  readonly #reflector: Reflector

  constructor(@Inject(Reflector) reflector: Reflector) {
    this.#reflector = reflector
  }

  canActivate(context: ExecutionContext): boolean {
    const role = this.#reflector.get(Role, context.getHandler())
    const { user, method, url, ip } = context.switchToHttp().getRequest<Request>()
    if (user === undefined) throw new UnauthorizedException()
    if (user.roles.includes(role)) return true
    recordDenial(user, role, method, url, ip)
    context.switchToHttp().getResponse<Response>().headers(DENIED_HEADERS)
    throw new ForbiddenException(DENIED)
  }
}
