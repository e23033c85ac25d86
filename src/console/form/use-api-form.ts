import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type JsonObject,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { useMutation } from '@connectrpc/connect-query';
import { type FormErrors, useForm, type UseFormReturnType } from '@mantine/form';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Failure, failureOf, isUnauthenticated } from '../api/failure.ts';
import { useServiceWords } from '../language/use-service-words.ts';
import { useSessionKeeper } from '../session/session-context.tsx';
import { selectFault } from '../expressions/fault-range.ts';
import { useFaultText } from '../expressions/use-fault-text.ts';
import { fieldNamedIn, formPathOf, hasField } from './field-path.ts';
import { loadRules, type Rules } from './rules.ts';
import { useRuleTexts } from './use-rule-texts.ts';

/** The options of a form. */
export type ApiFormOptions<Input extends DescMessage, Output extends DescMessage, Values> = {
  /** The method that takes the form. */
  readonly method: DescMethodUnary<Input, Output>;
  readonly initialValues: Values;
  /** The request for the input. It is also called during the input, so it must accept empty fields. */
  readonly request: (values: Values) => MessageInitShape<Input>;
  /** The field of the request that holds the form's fields, for example `campaign`; the request itself by default. */
  readonly within?: string;
  /** Faults beyond the rules of the proto, by path. */
  readonly check?: (values: Values) => Readonly<Record<string, string | undefined>>;
  /** Called with the paths of invalid fields before the first gets the focus, to show hidden fields. */
  readonly onFaults?: (paths: readonly string[], values: Values) => void;
  readonly onDone: (answer: MessageShape<Output>, values: Values) => unknown;
};

/** A form and its way to the service. */
export type ApiForm<Values> = {
  /** Mantine's form: `form.getInputProps('name')` beside each field. */
  readonly form: UseFormReturnType<Values>;
  readonly submit: (event?: FormEvent<HTMLFormElement>) => void;
  readonly pending: boolean;
  /** The current faults by path, also of unvisited fields; empty until the rules are loaded. */
  readonly faults: FormErrors;
  /** The service's refusal, if it concerns no field. */
  readonly failure: unknown;
  /** The request for some values, as JSON. */
  readonly requestOf: (values: Values) => JsonObject;
};

/**
 * A form that is sent to one method. Its fields are held against the rules of the method's proto while they are filled in, and against the
 * service's answer afterwards; both appear beside the field.
 */
export function useApiForm<
  Input extends DescMessage,
  Output extends DescMessage,
  Values extends Record<string, unknown>,
>(options: ApiFormOptions<Input, Output, Values>): ApiForm<Values> {
  const { method, within = '' } = options;
  const rules = useRef<Rules>(undefined);
  const [ready, setReady] = useState(false);
  const textOf = useRuleTexts();
  const faultText = useFaultText();
  const keeper = useSessionKeeper();
  const wordsOf = useServiceWords();
  const [failure, setFailure] = useState<unknown>();
  const mutation = useMutation(method, { meta: { showsError: true } });

  useEffect(() => {
    void loadRules().then((loaded) => {
      rules.current = loaded;
      setReady(true);
    });
  }, []);

  function errorsOf(values: Values): FormErrors {
    const message = create(method.input, options.request(values));
    const breaches = rules.current?.(method.input, message) ?? [];
    const errors = breaches.toReversed().map((breach) => [formPathOf(breach.path, within), textOf(breach)]);
    const checked = Object.entries(options.check?.(values) ?? {}).filter(([, text]) => text !== undefined);
    return Object.fromEntries([...errors, ...checked]);
  }

  const form = useForm<Values>({
    initialValues: options.initialValues,
    validate: errorsOf,
    validateInputOnBlur: true,
    // A corrected field must lose its error at once.
    clearInputErrorOnChange: true,
  });

  async function send(values: Values): Promise<void> {
    setFailure(undefined);
    try {
      const answer = await mutation.mutateAsync(options.request(values));
      form.resetDirty(values);
      await options.onDone(answer, values);
    } catch (error) {
      // The session has ended: the sign-in appears in front of the form, which waits.
      if (isUnauthenticated(error) && keeper.state().kind !== 'signedIn') return;
      const refusal = failureOf(error);
      const { mistake } = refusal;
      const errors = fieldErrorsOf(refusal, {
        values,
        within,
        textOf,
        wordsOf,
        mistakeText: mistake && faultText(mistake),
      });
      form.setErrors(errors);
      options.onFaults?.(Object.keys(errors), values);
      focusFirst(form, errors);
      if (mistake) for (const path of Object.keys(errors)) selectFault(form.getInputNode(path), mistake);
      if (Object.keys(errors).length === 0) setFailure(error);
    }
  }

  return {
    form,
    submit: form.onSubmit(send, (errors, values) => {
      options.onFaults?.(Object.keys(errors), values);
      focusFirst(form, errors);
    }),
    get faults() {
      return ready ? errorsOf(form.values) : {};
    },
    pending: mutation.isPending,
    failure,
    requestOf: (values) => toJson(method.input, create(method.input, options.request(values))) as JsonObject,
  };
}

/** Goes to the topmost field at fault, which may be far up in a long form. */
function focusFirst(form: { getInputNode(path: string): HTMLElement | null }, errors: FormErrors): void {
  const fields = Object.keys(errors).flatMap((path) => form.getInputNode(path) ?? []);
  const [first] = fields.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
}

/** The sent form, and its messages for answers of the service. */
type SentForm = {
  readonly values: object;
  readonly within: string;
  readonly textOf: ReturnType<typeof useRuleTexts>;
  readonly wordsOf: ReturnType<typeof useServiceWords>;
  /** The mistake in an expression, with its place. */
  readonly mistakeText: string | undefined;
};

/** The service's faults by the form's paths; empty if one of them belongs to no field of the form. */
function fieldErrorsOf(failure: Failure, { values, within, textOf, wordsOf, mistakeText }: SentForm): FormErrors {
  const { message, code, fields: faults } = failure;
  if (faults.length === 0) {
    const field = code === 'VERSION_CONFLICT' ? undefined : fieldNamedIn(message, values, within);
    return field === undefined ? {} : { [field]: mistakeText ?? wordsOf(failure) };
  }
  const entries = faults.map(({ field, rule, description }) => {
    const path = formPathOf(field, within);
    return [path, textOf({ path, rule, message: description })] as const;
  });
  const known = entries.every(([path]) => hasField(values, path));
  return known ? Object.fromEntries(entries) : {};
}
