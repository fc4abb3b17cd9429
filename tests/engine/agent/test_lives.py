"""Places and dates of lives, and relations told by either side's document."""

from __future__ import annotations

import pytest

from engine.agent.dates import Date, Event, date_of
from engine.agent.lives import place_of
from engine.agent.relations import parents, relation


@pytest.mark.parametrize(
    ("life", "birth", "death"),
    [
        ("(3 May 1897, Marseille- 10 July 1989 in Ville-d'Avray)", "Marseille", "Ville-d'Avray"),
        ("(Altenburg, 11 April 1598 \u2013 Weimar, 17 May 1662)", "Altenburg", "Weimar"),
        ("(29 March 1911 in Dahlem, Berlin \u2013 27 July 1988, in Hamburg)", "Dahlem", "Hamburg"),
        ("(8 May 1939, Namslau- 17 March 2006, Karlsbad-Langensteinbach)", "Namslau", "Karlsbad-Langensteinbach"),
        ("(born in Hong Kong, 7 October 1961)", "Hong Kong", ""),
        ("(born 1941 in Palma, Majorca)", "Palma", ""),
        ("(23 June 1385 \u2013 14 February 1459, Simmern)", "", "Simmern"),
        ("(born Ramon Sharma, 1 December 1933 \u2013 5 June 1985)", "", ""),
        ("(Victoria Antonia; 14 February 1822 \u2013 10 November 1857)", "", ""),
    ],
)
def test_places_stand_beside_their_dates(life: str, birth: str, death: str) -> None:
    text = f"Somebody {life} was a printer."
    assert place_of(Event.BIRTH, text) == birth
    assert place_of(Event.DEATH, text) == death


def test_a_lost_dash_leaves_two_dates_of_a_life() -> None:
    text = "Somebody( July 27, 1900 June 4, 1959) was a printer."
    dated = [date_of(event, text) for event in (Event.BIRTH, Event.DEATH)]
    assert [one.date for one in dated if one is not None] == [Date(1900, 7, 27), Date(1959, 6, 4)]


def test_the_time_lived_orders_lives() -> None:
    assert Date(1955, 9, 20).since(Date(1895, 5, 22)) < Date(1997, 2, 23).since(Date(1906, 1, 28))


def test_a_title_ends_where_the_other_parent_is_named() -> None:
    found = parents("Hugh was the son of Odo III, Duke of Brennen and Alice de Verg.")
    assert found == {"father": "Odo III, Duke of Brennen", "mother": "Alice de Verg"}


def test_a_year_may_stand_inside_what_states_a_relation() -> None:
    assert relation("founder").stated("A monthly founded in 1948 by Bert Nolan and others.") == "Bert Nolan"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ada was the second wife of Karl Brenn.", True),
        ("Ada was married to the printer Karl Brenn.", True),
        ("Her sister Eva was the wife of Karl Brenn.", False),
        ("Ada met Karl Brenn in 1920.", False),
    ],
)
def test_the_other_document_may_tell_of_a_marriage(text: str, said: bool) -> None:
    assert relation("spouse").stands_between(text, "Karl Brenn") is said


@pytest.mark.parametrize(
    ("name", "value", "text", "fits"),
    [
        ("father", "Emperor Ta", "He was a younger brother of his predecessor Emperor Ta.", False),
        ("father", "Princess Pat of Brenn", "A daughter of Princess Pat of Brenn.", False),
        ("father", "Karl Brenn", "He was the second son of Karl Brenn.", True),
        ("mother", "King Karl", "The only child of King Karl.", False),
        ("spouse", "Eva Moll", "He married the poet Eva Moll.", True),
        ("director", "Karl Brenn", "Directed by Adam, a cousin of Karl Brenn.", True),
    ],
)
def test_no_other_kin_is_taken_for_a_parent_or_spouse(name: str, value: str, text: str, fits: bool) -> None:
    assert relation(name).may_be(value, text) is fits
