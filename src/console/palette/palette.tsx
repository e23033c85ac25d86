import { Anchor, Group, Kbd, Loader, Modal, ScrollArea, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../session/session-context.tsx';
import { useChoices } from './choices.ts';
import classes from './palette.module.css';
import { type Choice, rememberChoice } from './recent.ts';

/** Opens any page or resource by its name or id, by keyboard alone if desired. */
export function Palette({
  typed,
  onType,
  onClose,
  onHelp,
}: {
  /** The text in the field; a part may have been typed before the field appeared. */
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}) {
  const t = useTranslations('palette');
  const { user, client } = useSession();
  const navigate = useNavigate();
  const id = useId();
  const [active, setActive] = useState<string>();
  const { groups, pending, failed } = useChoices(typed);
  const choices = groups.flatMap((group) => group.choices);
  // The selected result may be missing in a newer answer: then the first is selected.
  const activeIndex = Math.max(
    0,
    choices.findIndex(({ key }) => key === active),
  );
  const current = choices[activeIndex];
  const optionId = ({ key }: Choice) => `${id}-${key.replaceAll(' ', '-')}`;

  function go(choice: Choice): void {
    rememberChoice(`${user?.id} ${client?.id}`, choice);
    onClose();
    void navigate(choice.path);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && current) go(current);
    else if (step !== undefined && choices.length > 0)
      setActive(choices[(activeIndex + step + choices.length) % choices.length]?.key);
    else return;
    event.preventDefault();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<VisuallyHidden>{t('title')}</VisuallyHidden>}
      styles={{ header: { minHeight: 0, padding: 0 } }}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="8vh"
      xOffset="sm"
    >
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        px="md"
        py={6}
        className={classes['field']}
        placeholder={t('placeholder')}
        aria-label={t('placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-choices`}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
        leftSection={<Search size={17} aria-hidden />}
        rightSection={pending && <Loader size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => {
          onType(currentTarget.value);
          setActive(undefined);
        }}
        onKeyDown={onKeyDown}
        // Earlier typed text comes before new text.
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(typed.length, typed.length)}
      />
      <ScrollArea.Autosize mah="min(60vh, 460px)" type="auto" viewportProps={{ tabIndex: -1 }}>
        <div
          id={`${id}-choices`}
          role="listbox"
          aria-label={t('title')}
          aria-busy={pending}
          className={classes['list']}
        >
          {groups.map((group) => (
            <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
              <div id={`${id}-${group.key}`} className={classes['heading']}>
                {group.heading}
              </div>
              {group.choices.map((choice) => (
                <Option
                  key={choice.key}
                  id={optionId(choice)}
                  choice={choice}
                  selected={choice === current}
                  onHover={() => setActive(choice.key)}
                  onChoose={() => go(choice)}
                />
              ))}
            </div>
          ))}
        </div>
        {choices.length === 0 && (
          <Text size="sm" c="dimmed" ta="center" p="lg" pt={0}>
            {pending ? t('searching') : t('nothing')}
          </Text>
        )}
      </ScrollArea.Autosize>
      <VisuallyHidden role="status">{pending ? '' : t('count', { count: choices.length })}</VisuallyHidden>
      <Group justify="space-between" px="md" py="xs" gap="xs" className={classes['foot']}>
        <Text size="xs" c={failed ? 'red' : 'dimmed'} role={failed ? 'alert' : undefined}>
          {failed ? t('failed') : t('hint')}
        </Text>
        <Anchor component="button" type="button" size="xs" onClick={onHelp}>
          {t('shortcutsTitle')} <Kbd size="xs">?</Kbd>
        </Anchor>
      </Group>
    </Modal>
  );
}

function Option(props: {
  readonly id: string;
  readonly choice: Choice;
  readonly selected: boolean;
  readonly onHover: () => void;
  readonly onChoose: () => void;
}) {
  const { icon: Icon, title, hint } = props.choice;
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (props.selected) own.current?.scrollIntoView({ block: 'nearest' });
  }, [props.selected]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field keeps the focus and hears the keys.
    <div
      ref={own}
      id={props.id}
      role="option"
      aria-selected={props.selected}
      tabIndex={-1}
      className={classes['option']}
      onMouseMove={props.selected ? undefined : props.onHover}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onChoose}
    >
      <Icon size={16} strokeWidth={1.8} aria-hidden />
      <span className={classes['title']}>{title}</span>
      {hint !== undefined && hint !== '' && <span className={classes['hint']}>{hint}</span>}
    </div>
  );
}
