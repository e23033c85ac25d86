import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { ErrorDetail } from '../kernel/errors/domain-error.ts';
import type { Principal } from './principal.ts';

/** The failure of a call, or of an item of it, in REST's terms. */
export type CallFailure = {
  readonly statusCode: number;
  readonly code: string;
  /** Absent if the transport has answered a bare status. */
  readonly message?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
};

/** The request of a call, as far as it could be read. */
export type Asked = { readonly input: DescMessage; readonly request: Message };

/** An item of a call whose items are answered one by one. */
export type AnsweredItem = Asked & { readonly failure: CallFailure | undefined };

/** A call of a known caller that has been answered, over any protocol. */
export type AnsweredCall = {
  readonly principal: Principal;
  /** The operation as in the log: `laurel.v1.TriggerService/EmitTrigger`. */
  readonly route: string;
  readonly failure: CallFailure | undefined;
  /** Only with a failure; absent if the request could not be read. */
  readonly asked?: Asked | undefined;
  /** Only without a failure, if the items were answered one by one. */
  readonly items?: readonly AnsweredItem[] | undefined;
};
