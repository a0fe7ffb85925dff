/** The WEBSOCKET routes of the cases: they tell who is speaking, as told by each way of asking. */
import {
  Anonymous,
  Body,
  Ctx,
  CurrentUser,
  controller,
  IsGranted,
  Message,
  WebSocket,
  type WebSocketContext
} from 'svc-decorators'
import { currentUser, type User } from 'svc-kernel'

@controller('/talk')
export class TalkController {
  @WebSocket('/who')
  who(@CurrentUser() user: User): unknown {
    return { who: user.identifier }
  }

  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return { echo: text }
  }

  /** Ambient, injected and of the request, before and after a pause. */
  @WebSocket('/ways')
  async ways(@CurrentUser() user: User, @Ctx() { request }: WebSocketContext): Promise<unknown> {
    const before = currentUser().identifier
    await new Promise((resume) => setImmediate(resume))
    return { before, after: currentUser().identifier, injected: user.identifier, request: request.user?.identifier }
  }

  @WebSocket('/guarded')
  @IsGranted('ROLE_USER')
  guarded(@Message() text: string): unknown {
    return { echo: text }
  }

  @WebSocket('/order', {
    schema: { body: { type: 'object', required: ['item'], properties: { item: { type: 'string' } } } }
  })
  order(@Body() body: { item: string }): unknown {
    return { ordered: body.item }
  }

  @WebSocket('/public')
  @Anonymous()
  anyone(@CurrentUser() user: User): unknown {
    return { who: user.identifier }
  }
}
